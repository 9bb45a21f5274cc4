import { equal } from '../json/access.ts'
import type { KubeObject, ObjectMeta, OwnerReference } from '../registry/kube-object.ts'
import { type FieldError, forbiddenField, invalidValue, required, tooLong } from './field-error.ts'
import { labelValue, type NameCheck, qualifiedName } from './names.ts'

const ANNOTATIONS_LIMIT = 256 * 1024
const STANDARD_FINALIZERS = new Set(['foregroundDeletion', 'orphan', 'kubernetes'])

/** What metadata of a new object must be: k8s.io/apimachinery/pkg/api/validation ValidateObjectMeta. */
export function validateMetadata(
  object: KubeObject,
  namespaced: boolean,
  checkName: NameCheck,
): FieldError[] {
  const meta = object.metadata
  const errors: FieldError[] = []
  if (meta.generateName !== undefined) {
    const prefix = meta.generateName.endsWith('-') ? `${meta.generateName.slice(0, -1)}a` : meta.generateName
    for (const message of checkName(prefix))
      errors.push(invalidValue('metadata.generateName', meta.generateName, message))
  }
  if (meta.name === undefined) errors.push(required('metadata.name', 'name or generateName is required'))
  else
    for (const message of checkName(meta.name)) errors.push(invalidValue('metadata.name', meta.name, message))
  if (!namespaced && meta.namespace !== undefined) {
    errors.push(forbiddenField('metadata.namespace', 'not allowed on this type'))
  }
  return [
    ...errors,
    ...validateLabels(meta.labels, 'metadata.labels'),
    ...validateAnnotations(meta.annotations),
    ...validateOwnerReferences(meta.ownerReferences ?? []),
    ...validateFinalizers(meta.finalizers ?? []),
  ]
}

/** What may change in the metadata of an object: ValidateObjectMetaUpdate of the same package. */
export function validateMetadataUpdate(next: ObjectMeta, previous: ObjectMeta): FieldError[] {
  const errors: FieldError[] = []
  if (previous.deletionTimestamp !== undefined) {
    const known = new Set(previous.finalizers)
    const added = (next.finalizers ?? []).filter((each) => !known.has(each)).sort()
    if (added.length > 0) {
      const list = `[]string{${added.map((each) => JSON.stringify(each)).join(', ')}}`
      errors.push(
        forbiddenField(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`,
        ),
      )
    }
  }
  for (const field of [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ] as const) {
    if (!equal(next[field], previous[field])) {
      errors.push(invalidValue(`metadata.${field}`, next[field], 'field is immutable'))
    }
  }
  return [
    ...errors,
    ...validateLabels(next.labels, 'metadata.labels'),
    ...validateAnnotations(next.annotations),
    ...validateOwnerReferences(next.ownerReferences ?? []),
  ]
}

export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...qualifiedName(key).map((message) => invalidValue(field, key, message)),
    ...labelValue(value).map((message) => invalidValue(field, value, message)),
  ])
}

function validateAnnotations(annotations: Readonly<Record<string, string>> | undefined): FieldError[] {
  if (annotations === undefined) return []
  let size = 0
  const errors: FieldError[] = []
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value)
    for (const message of qualifiedName(key.toLowerCase()))
      errors.push(invalidValue('metadata.annotations', key, message))
  }
  if (size > ANNOTATIONS_LIMIT) errors.push(tooLong('metadata.annotations', ANNOTATIONS_LIMIT))
  return errors
}

function validateOwnerReferences(references: readonly OwnerReference[]): FieldError[] {
  const field = 'metadata.ownerReferences'
  const errors: FieldError[] = []
  let controller: string | undefined
  for (const reference of references) {
    const version = (reference.apiVersion ?? '').split('/').at(-1) ?? ''
    if (version === '')
      errors.push(
        invalidValue(`${field}.apiVersion`, reference.apiVersion ?? '', 'version must not be empty'),
      )
    for (const key of ['kind', 'name', 'uid'] as const) {
      if ((reference[key] ?? '') === '') errors.push(invalidValue(`${field}.${key}`, '', 'must not be empty'))
    }
    if (reference.apiVersion === 'v1' && reference.kind === 'Event') {
      errors.push(
        invalidValue(
          field,
          'v1, Kind=Event',
          `${reference.apiVersion}, Kind=Event is disallowed from being an owner`,
        ),
      )
    }
    if (reference.controller !== true) continue
    const current = `${reference.kind}/${reference.name}`
    if (controller === undefined) controller = current
    else {
      errors.push(
        invalidValue(
          field,
          references,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`,
        ),
      )
    }
  }
  return errors
}

function validateFinalizers(finalizers: readonly string[]): FieldError[] {
  const errors = finalizers.flatMap((finalizer) =>
    qualifiedName(finalizer).map((message) => invalidValue('metadata.finalizers', finalizer, message)),
  )
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(
      invalidValue(
        'metadata.finalizers',
        finalizers,
        'finalizer orphan and foregroundDeletion cannot be both set',
      ),
    )
  }
  return errors
}

/** Built-in types also refuse an unqualified finalizer that is not one of Kubernetes' own. */
export function validateStandardFinalizers(finalizers: readonly string[] | undefined): FieldError[] {
  return (finalizers ?? []).flatMap((finalizer, index) =>
    finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer)
      ? []
      : [
          invalidValue(
            `metadata.finalizers[${index}]`,
            finalizer,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  )
}
