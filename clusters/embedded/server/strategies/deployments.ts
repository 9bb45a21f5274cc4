import { at, equal, listAt, objectAt } from '../json/access.ts'
import { type KubeObject, withMeta } from '../registry/kube-object.ts'
import { labelsMatch } from '../selectors/label-selector-object.ts'
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../validation/field-error.ts'
import { validateLabelSelector } from '../validation/label-selector.ts'
import { dnsLabel } from '../validation/names.ts'
import { nonNegative, percentOrCount } from '../validation/numbers.ts'
import { validatePodTemplate } from '../validation/pod-template.ts'
import { keepingOtherHalf, strategy, withPart } from './strategy.ts'

/** Deployments are stored with their defaults; rolling them out is for whoever plays the controller. */
export const deployments = strategy({
  prepareForCreate: (object) => withMeta(withPart(object, 'status', {}), { generation: 1 }),
  prepareForUpdate: (next, previous, subresource) => {
    const kept = keepingOtherHalf(next, previous, subresource)
    if (subresource === 'status') return withMeta(kept, { labels: previous.metadata.labels })
    const same =
      equal(kept.spec, previous.spec) && equal(kept.metadata.annotations, previous.metadata.annotations)
    return same ? kept : withMeta(kept, { generation: (previous.metadata.generation ?? 0) + 1 })
  },
  validate,
  validateUpdate: (next, previous, subresource) =>
    subresource === 'status'
      ? validateStatus(objectAt(next, 'status'))
      : [
          ...validate(next),
          ...(equal(at(next, 'spec', 'selector'), at(previous, 'spec', 'selector'))
            ? []
            : [invalidValue('spec.selector', at(next, 'spec', 'selector'), 'field is immutable')]),
        ],
  warnings: (object) => {
    const messages = dnsLabel(object.metadata.name ?? '')
    return messages.length === 0
      ? []
      : [
          `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`,
        ]
  },
})

function validate(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec')
  const { selector = null } = spec
  const minReady = Number(spec.minReadySeconds ?? 0)
  return [
    ...nonNegative('spec.replicas', spec.replicas),
    ...(selector === null || selector === undefined
      ? [required('spec.selector')]
      : validateLabelSelector(selector, 'spec.selector')),
    ...(selector !== null && isEmptySelector(selector)
      ? [invalidValue('spec.selector', selector, 'empty selector is invalid for deployment')]
      : []),
    ...validateTemplate(object, selector),
    ...validateStrategy(objectAt(spec, 'strategy')),
    ...nonNegative('spec.minReadySeconds', minReady),
    ...nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...nonNegative('spec.progressDeadlineSeconds', spec.progressDeadlineSeconds),
    ...(Number(spec.progressDeadlineSeconds) <= minReady
      ? [
          invalidValue(
            'spec.progressDeadlineSeconds',
            spec.progressDeadlineSeconds,
            'must be greater than minReadySeconds',
          ),
        ]
      : []),
  ]
}

function isEmptySelector(selector: unknown): boolean {
  return (
    Object.keys(objectAt(selector, 'matchLabels')).length + listAt(selector, 'matchExpressions').length === 0
  )
}

function validateTemplate(object: KubeObject, selector: unknown): FieldError[] {
  const template = objectAt(object, 'spec', 'template')
  const labels = objectAt(template, 'metadata', 'labels') as Record<string, string>
  const policy = at(template, 'spec', 'restartPolicy')
  return [
    ...(selector !== null && (isEmptySelector(selector) || labelsMatch(selector, labels))
      ? []
      : [
          invalidValue(
            'spec.template.metadata.labels',
            at(template, 'metadata', 'labels'),
            '`selector` does not match template `labels`',
          ),
        ]),
    ...validatePodTemplate(template, 'spec.template'),
    ...(policy === 'Always' ? [] : [notSupported('spec.template.spec.restartPolicy', policy, ['Always'])]),
    ...(at(template, 'spec', 'activeDeadlineSeconds') === undefined
      ? []
      : [
          forbiddenField(
            'spec.template.spec.activeDeadlineSeconds',
            'activeDeadlineSeconds in ReplicaSet is not Supported',
          ),
        ]),
  ]
}

function validateStrategy(given: Record<string, unknown>): FieldError[] {
  const field = 'spec.strategy'
  if (given.type === 'Recreate') {
    return given.rollingUpdate === undefined
      ? []
      : [forbiddenField(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
  }
  if (given.type !== 'RollingUpdate') return [notSupported(field, given, ['Recreate', 'RollingUpdate'])]
  const { maxUnavailable, maxSurge } = objectAt(given, 'rollingUpdate')
  const isZero = (value: unknown): boolean => value === 0 || /^0+%$/.test(String(value))
  return [
    ...percentOrCount(`${field}.rollingUpdate.maxUnavailable`, maxUnavailable),
    ...percentOrCount(`${field}.rollingUpdate.maxSurge`, maxSurge),
    ...(isZero(maxUnavailable) && isZero(maxSurge)
      ? [
          invalidValue(
            `${field}.rollingUpdate.maxUnavailable`,
            maxUnavailable,
            'may not be 0 when `maxSurge` is 0',
          ),
        ]
      : []),
    ...(Number.parseInt(String(maxUnavailable).replace(/[^%]*$/, ''), 10) > 100 &&
    String(maxUnavailable).endsWith('%')
      ? [
          invalidValue(
            `${field}.rollingUpdate.maxUnavailable`,
            maxUnavailable,
            'must not be greater than 100%',
          ),
        ]
      : []),
  ]
}

function validateStatus(status: Record<string, unknown>): FieldError[] {
  const count = (field: string): number => Number(status[field] ?? 0)
  const counts = [
    'observedGeneration',
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
  ]
  const above = (field: string, limit: string, shown: string): FieldError[] =>
    count(field) > count(limit)
      ? [invalidValue(`status.${field}`, count(field), `cannot be greater than ${shown}`)]
      : []
  return [
    ...counts.flatMap((field) => nonNegative(`status.${field}`, count(field))),
    ...above('updatedReplicas', 'replicas', 'status.replicas'),
    ...above('readyReplicas', 'replicas', 'status.replicas'),
    ...above('availableReplicas', 'replicas', 'status.replicas'),
    ...above('availableReplicas', 'readyReplicas', 'readyReplicas'),
  ]
}
