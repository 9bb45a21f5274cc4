import { parseJsonPath } from '../custom/json-path.ts'
import type { Names, PrinterColumn, Version } from '../custom/schema.ts'
import { haveSameSchema, validateStructure } from '../custom/structural.ts'
import { at, equal, listAt, objectAt, textAt, withValueAt } from '../json/access.ts'
import { type KubeObject, withMeta } from '../registry/kube-object.ts'
import { now } from '../schemas/time.ts'
import { notImplemented } from '../status.ts'
import { type FieldError, invalidValue, notSupported, required } from '../validation/field-error.ts'
import { dns1035Label, subdomain } from '../validation/names.ts'
import { keepingOtherHalf, strategy, withGeneration } from './strategy.ts'

export const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io'
const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string']

export const definitions = strategy({
  unconditionalUpdate: false,
  defaults,
  prepareForCreate: (object) => withMeta({ ...object, status: initialStatus(object) }, { generation: 1 }),
  prepareForUpdate: (next, previous, subresource) => {
    const kept = keepingOtherHalf(next, previous, subresource)
    return subresource === 'status' ? kept : withStoredVersions(withGeneration(kept, previous))
  },
  validate,
  validateUpdate: (next, previous, subresource) =>
    subresource === 'status' ? [] : [...validate(next), ...validateImmutable(next, previous)],
  deletesLater: () => true,
  prepareForDelete: (object) => {
    const conditions = listAt(object, 'status', 'conditions').filter(
      (each) => textAt(each, 'type') !== 'Terminating',
    )
    const terminating = {
      type: 'Terminating',
      status: 'True',
      lastTransitionTime: now(),
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    }
    return withMeta(withValueAt(object, ['status', 'conditions'], [...conditions, terminating]), {
      finalizers: [...(object.metadata.finalizers ?? []), CLEANUP],
    })
  },
})

function defaults(object: KubeObject): KubeObject {
  const names = objectAt(object, 'spec', 'names')
  const kind = textAt(names, 'kind')
  const { plural, singular, shortNames, kind: _kind, listKind, categories } = names
  const complete = {
    plural,
    singular: singular ?? kind.toLowerCase(),
    ...(shortNames === undefined ? {} : { shortNames }),
    kind,
    listKind: listKind ?? (kind === '' ? undefined : `${kind}List`),
    ...(categories === undefined ? {} : { categories }),
  }
  const named = withValueAt(object, ['spec', 'names'], complete)
  const conversion = at(object, 'spec', 'conversion')
  return conversion === undefined ? withValueAt(named, ['spec', 'conversion'], { strategy: 'None' }) : named
}

function initialStatus(object: KubeObject): object {
  return {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: storageVersions(object),
  }
}

function storageVersions(object: KubeObject): string[] | null {
  const names = (listAt(object, 'spec', 'versions') as readonly Version[])
    .filter((version) => version.storage)
    .map((version) => version.name)
  return names.length === 0 ? null : names.slice(0, 1)
}

function withStoredVersions(object: KubeObject): KubeObject {
  const known = listAt(object, 'status', 'storedVersions')
  const added = (storageVersions(object) ?? []).filter((name) => !known.includes(name))
  return added.length === 0 ? object : withValueAt(object, ['status', 'storedVersions'], [...known, ...added])
}

function validate(object: KubeObject): FieldError[] {
  const name = object.metadata.name ?? ''
  const group = textAt(object, 'spec', 'group')
  const names = objectAt(object, 'spec', 'names') as unknown as Names
  const scope = textAt(object, 'spec', 'scope')
  const groupErrors = subdomain(group)
  return [
    ...(name === `${names.plural}.${group}`
      ? []
      : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...(group === ''
      ? [required('spec.group')]
      : groupErrors.length > 0
        ? [invalidValue('spec.group', group, groupErrors.join(','))]
        : group.includes('.')
          ? []
          : [invalidValue('spec.group', group, 'should be a domain with at least one dot')]),
    ...(scope === ''
      ? [required('spec.scope')]
      : scope === 'Cluster' || scope === 'Namespaced'
        ? []
        : [notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])]),
    ...validateVersions(object),
    ...validateNames(names),
    ...validateApproval(object, group),
  ]
}

function validateVersions(object: KubeObject): FieldError[] {
  const versions = listAt(object, 'spec', 'versions') as readonly Version[]
  const schemas = versions.map((version) => version.schema?.openAPIV3Schema)
  const folded = haveSameSchema(schemas)
  if (at(object, 'spec', 'preserveUnknownFields') === true) {
    return [
      invalidValue(
        'spec.preserveUnknownFields',
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    ]
  }
  refuseWebhooks(object)
  const storages = versions.filter((version) => version.storage).length
  return [
    ...versions.flatMap((version, index) => {
      const field = `spec.versions[${index}]`
      refuseScale(version, field)
      const schema = schemas[index]
      const schemaField = folded ? 'spec.validation.openAPIV3Schema' : `${field}.schema.openAPIV3Schema`
      const label = dns1035Label(version.name)
      return [
        ...(schema === undefined
          ? [required(`${field}.schema.openAPIV3Schema`)]
          : folded && index > 0
            ? []
            : validateStructure(schema, schemaField)),
        ...(label.length === 0 ? [] : [invalidValue(`${field}.name`, version.name, label.join(','))]),
        ...(version.additionalPrinterColumns ?? []).flatMap((each, at) =>
          validateColumn(each, `${field}.additionalPrinterColumns[${at}]`),
        ),
      ]
    }),
    ...(new Set(versions.map((version) => version.name)).size === versions.length
      ? []
      : [invalidValue('spec.versions', shownVersions(versions), 'must contain unique version names')]),
    ...(storages === 1
      ? []
      : [
          invalidValue(
            'spec.versions',
            shownVersions(versions),
            'must have exactly one version marked as storage version',
          ),
        ]),
    ...(storages === 0
      ? [invalidValue('status.storedVersions', null, 'must have at least one stored version')]
      : []),
  ]
}

/** Go shows the versions as its internal type has them, without the schemas that it keeps elsewhere. */
function shownVersions(versions: readonly Version[]): object[] {
  return versions.map((version) => ({
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  }))
}

function refuseScale(version: Version, field: string): void {
  if (version.subresources?.scale === undefined) return
  throw notImplemented(
    { verb: 'create', resource: 'customresourcedefinitions', field: `${field}.subresources.scale` },
    'scale of custom resources is not implemented',
  )
}

function refuseWebhooks(object: KubeObject): void {
  const given = textAt(object, 'spec', 'conversion', 'strategy')
  if (given === 'None' || given === '') return
  throw notImplemented(
    { verb: 'create', resource: 'customresourcedefinitions', field: 'spec.conversion.strategy' },
    `conversion by ${given} is not implemented`,
  )
}

function validateColumn(column: PrinterColumn, field: string): FieldError[] {
  const list = COLUMN_TYPES.join(',')
  return [
    ...(column.name === '' ? [required(`${field}.name`)] : []),
    ...(column.type === ''
      ? [required(`${field}.type`, `must be one of ${list}`)]
      : COLUMN_TYPES.includes(column.type)
        ? []
        : [invalidValue(`${field}.type`, column.type, `must be one of ${list}`)]),
    ...(column.jsonPath === ''
      ? [required(`${field}.JSONPath`)]
      : parseJsonPath(column.jsonPath) === undefined
        ? [invalidValue(`${field}.JSONPath`, column.jsonPath, 'must be a simple json path starting with .')]
        : []),
  ]
}

function validateNames(names: Names): FieldError[] {
  const field = 'spec.names'
  const mixed = 'may have mixed case, but should otherwise match: '
  const label = (key: string, value: string | undefined, shown = value ?? '', prefix = ''): FieldError[] => {
    const messages = value === undefined || value === '' ? [] : dns1035Label(value)
    return messages.length === 0 ? [] : [invalidValue(`${field}.${key}`, shown, prefix + messages.join(','))]
  }
  return [
    ...(['plural', 'singular', 'kind', 'listKind'] as const)
      .filter((key) => (names[key] ?? '') === '')
      .map((key) => required(`${field}.${key}`)),
    ...label('plural', names.plural),
    ...label('singular', names.singular),
    ...label('kind', names.kind.toLowerCase(), names.kind, mixed),
    ...label('listKind', names.listKind?.toLowerCase(), names.listKind, mixed),
    ...(names.shortNames ?? []).flatMap((each, index) => label(`shortNames[${index}]`, each)),
    ...(names.kind !== '' && names.kind === names.listKind
      ? [invalidValue(`${field}.listKind`, names.listKind, 'kind and listKind may not be the same')]
      : []),
    ...(names.categories ?? []).flatMap((each, index) => label(`categories[${index}]`, each)),
  ]
}

/** Groups of the Kubernetes community are protected. */
function validateApproval(object: KubeObject, group: string): FieldError[] {
  const isProtected =
    group === 'k8s.io' ||
    group === 'kubernetes.io' ||
    group.endsWith('.k8s.io') ||
    group.endsWith('.kubernetes.io')
  const key = 'api-approved.kubernetes.io'
  if (!isProtected || (object.metadata.annotations?.[key] ?? '') !== '') return []
  return [
    required(
      `metadata.annotations[${key}]`,
      'protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ),
  ]
}

function validateImmutable(next: KubeObject, previous: KubeObject): FieldError[] {
  const established = listAt(previous, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Established' && textAt(each, 'status') === 'True',
  )
  const paths = [...(established ? [['scope'], ['names', 'kind']] : []), ['group'], ['names', 'plural']]
  const changed = paths
    .filter((path) => !equal(at(next, 'spec', ...path), at(previous, 'spec', ...path)))
    .map((path) => invalidValue(`spec.${path.join('.')}`, at(next, 'spec', ...path), 'field is immutable'))
  const names = new Set(
    (listAt(next, 'spec', 'versions') as readonly Version[]).map((version) => version.name),
  )
  const lost = listAt(next, 'status', 'storedVersions').flatMap((each, index) =>
    names.has(String(each))
      ? []
      : [
          invalidValue(
            `status.storedVersions[${index}]`,
            each,
            `missing from spec.versions; ${String(each)} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${String(each)} and removes ${String(each)} from status.storedVersions`,
          ),
        ],
  )
  return [...changed, ...lost]
}
