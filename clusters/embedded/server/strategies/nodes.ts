import { isIP } from 'node:net'
import { equal, listAt, objectAt, textAt, withValueAt } from '../json/access.ts'
import { valueKey } from '../json/value-key.ts'
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
import { keepingOtherHalf, strategy, withPart } from './strategy.ts'

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

export const nodes = strategy({
  defaults: withBothCidrFields,
  prepareForCreate: (object) => tainted(withoutConfigSource(object)),
  prepareForUpdate: (next, previous, subresource) =>
    withoutConfigSource(keepingOtherHalf(next, previous, subresource)),
  validate,
  validateUpdate: (next, previous) => [...validate(next), ...validateUpdate(next, previous)],
  warnings: (object) =>
    textAt(object, 'spec', 'externalID') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes'],
})

/** `podCIDR` is the first of `podCIDRs`. Where a client says both and they differ, it is an old one that knows only `podCIDR`. */
function withBothCidrFields(object: KubeObject): KubeObject {
  const { podCIDR, podCIDRs, ...rest } = objectAt(object, 'spec')
  const first = typeof podCIDR === 'string' ? podCIDR : ''
  const given = Array.isArray(podCIDRs) ? podCIDRs : []
  const all = first === '' || first === given[0] ? given : [first]
  if (all.length === 0) return object
  return withPart(object, 'spec', { podCIDR: all[0], podCIDRs: all, ...rest })
}

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
  return [
    ...validateTaints(listAt(object, 'spec', 'taints')),
    ...validateCidrs(listAt(object, 'spec', 'podCIDRs').map(String)),
  ]
}

function validateCidrs(cidrs: readonly string[]): FieldError[] {
  const field = 'spec.podCIDRs'
  const families = cidrs.map(cidrFamily)
  return [
    ...families.flatMap((family, index) =>
      family === undefined
        ? [
            invalidValue(
              `${field}[${index}]`,
              cidrs[index],
              'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
            ),
          ]
        : [],
    ),
    ...(cidrs.length < 2 || (cidrs.length === 2 && families.includes(4) && families.includes(6))
      ? []
      : [invalidValue(field, cidrs, 'may specify no more than one CIDR for each IP family')]),
  ]
}

function cidrFamily(cidr: string): 4 | 6 | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(cidr) ?? []
  // Kubernetes takes 010.0.0.0 for 10.0.0.0 in fields as old as this one.
  const family = isIP(address.replace(/(^|\.)0+(?=\d+(\.|$))/g, '$1'))
  if (family === 4 && Number(length) <= 32) return 4
  return family === 6 && Number(length) <= 128 ? 6 : undefined
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
  const seen = new Set<string>()
  for (const [index, address] of addresses.entries()) {
    const key = valueKey(address)
    if (seen.has(key)) errors.push(duplicate(`status.addresses[${index}]`, address))
    seen.add(key)
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
