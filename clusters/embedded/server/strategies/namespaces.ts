import { listAt } from '../json/access.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import { withMeta } from '../registry/kube-object.ts'
import { forbidden } from '../status.ts'
import { type FieldError, invalidValue } from '../validation/field-error.ts'
import { dnsLabel, qualifiedName } from '../validation/names.ts'
import { strategy, withPart } from './strategy.ts'

/** They are part of the system: NamespaceLifecycle lets nobody delete them. */
const IMMORTAL = new Set(['default', 'kube-system', 'kube-public'])

export const namespaces = strategy({
  checkName: dnsLabel,
  defaults: (object) => {
    const { name } = object.metadata
    const label = 'kubernetes.io/metadata.name'
    if (name === undefined || object.metadata.labels?.[label] === name) return object
    return withMeta(object, { labels: { ...object.metadata.labels, [label]: name } })
  },
  prepareForCreate: (object) => {
    const finalizers = listAt(object, 'spec', 'finalizers')
    const all = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes']
    return { ...object, spec: { finalizers: all }, status: { phase: 'Active' } }
  },
  prepareForUpdate: (next, previous, subresource) => {
    if (subresource === 'finalize') return withPart(next, 'status', previous.status)
    const kept = withPart(next, 'spec', previous.spec)
    return subresource === 'status' ? kept : withPart(kept, 'status', previous.status)
  },
  prepareForDelete: (object) => ({
    ...object,
    status: { ...(object.status as object), phase: 'Terminating' },
  }),
  deletesLater: (object) => listAt(object, 'spec', 'finalizers').length > 0,
  admitDelete: (object) => {
    const name = object.metadata.name ?? ''
    if (IMMORTAL.has(name))
      throw forbidden({ group: '', resource: 'namespaces' }, name, 'this namespace may not be deleted')
  },
  validate,
  validateUpdate: validate,
})

function validate(object: KubeObject): FieldError[] {
  return listAt(object, 'spec', 'finalizers').flatMap((finalizer) =>
    qualifiedName(String(finalizer)).map((message) => invalidValue('spec.finalizers', finalizer, message)),
  )
}
