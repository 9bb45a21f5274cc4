import { equal, listAt, objectAt, textAt, withValueAt } from '../json/access.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../validation/field-error.ts'
import { labelValue, qualifiedName } from '../validation/names.ts'
import { keepingOtherHalf, strategy } from './strategy.ts'

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

export const nodes = strategy({
  prepareForCreate: (object) => tainted(withoutConfigSource(object)),
  prepareForUpdate: (next, previous, subresource) =>
    withoutConfigSource(keepingOtherHalf(next, previous, subresource)),
  validate,
  validateUpdate: (next, previous) => [...validate(next), ...validateUpdate(next, previous)],
})

/** The TaintNodesByCondition admission plugin: a new node takes no pods until it is known to be ready. */
function tainted(object: KubeObject): KubeObject {
  const taints = listAt(object, 'spec', 'taints')
  if (
    taints.some(
      (taint) => textAt(taint, 'key') === NOT_READY.key && textAt(taint, 'effect') === NOT_READY.effect,
    )
  ) {
    return object
  }
  return withValueAt(object, ['spec', 'taints'], [...taints, NOT_READY])
}

function withoutConfigSource(object: KubeObject): KubeObject {
  return objectAt(object, 'spec').configSource === undefined
    ? object
    : withValueAt(object, ['spec', 'configSource'], undefined)
}

function validate(object: KubeObject): FieldError[] {
  const cidrs = listAt(object, 'spec', 'podCIDRs')
  return [
    ...validateTaints(listAt(object, 'spec', 'taints')),
    ...cidrs.flatMap((cidr, index) =>
      /^[0-9a-fA-F.:]+\/\d{1,3}$/.test(String(cidr))
        ? []
        : [
            invalidValue(
              `spec.podCIDRs[${index}]`,
              cidr,
              'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
            ),
          ],
    ),
  ]
}

/** Kubernetes names this field `metadata.taints`, though the taints are in the spec. */
function validateTaints(taints: readonly unknown[]): FieldError[] {
  const seen = new Set<string>()
  return taints.flatMap((taint, index) => {
    const field = `metadata.taints[${index}]`
    const [key, value, effect] = [textAt(taint, 'key'), textAt(taint, 'value'), textAt(taint, 'effect')]
    const values = labelValue(value)
    const errors = [
      ...qualifiedName(key).map((message) => invalidValue(`${field}.key`, key, message)),
      ...(values.length === 0 ? [] : [invalidValue(`${field}.value`, value, values.join(';'))]),
      ...(effect === ''
        ? [required(`${field}.effect`)]
        : EFFECTS.includes(effect)
          ? []
          : [notSupported(`${field}.effect`, effect, EFFECTS)]),
    ]
    if (seen.has(`${key}:${effect}`)) {
      errors.push({ ...duplicate(field, taint), detail: 'taints must be unique by key and effect pair' })
    }
    seen.add(`${key}:${effect}`)
    return errors
  })
}

function validateUpdate(next: KubeObject, previous: KubeObject): FieldError[] {
  const errors: FieldError[] = []
  const addresses = listAt(next, 'status', 'addresses')
  for (const [index, address] of addresses.entries()) {
    if (addresses.slice(0, index).some((other) => equal(other, address))) {
      errors.push(duplicate(`status.addresses[${index}]`, address))
    }
  }
  const cidrs = listAt(previous, 'spec', 'podCIDRs')
  if (cidrs.length > 0 && !equal(cidrs, listAt(next, 'spec', 'podCIDRs'))) {
    errors.push(
      forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'),
    )
  }
  const provider = textAt(previous, 'spec', 'providerID')
  if (provider !== '' && provider !== textAt(next, 'spec', 'providerID')) {
    errors.push(
      forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'),
    )
  }
  if (textAt(previous, 'spec', 'externalID') !== textAt(next, 'spec', 'externalID')) {
    errors.push(forbiddenField('spec.externalID', 'may not be updated'))
  }
  return errors
}
