import { listAt, objectAt, textAt } from '../json/access.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import { ALL_VERBS, type Decoded, type Resource } from '../registry/resource.ts'
import { decodeStruct } from '../schemas/decode.ts'
import { customColumns } from './columns.ts'
import { applyDefaults } from './default.ts'
import { parseJsonPath } from './json-path.ts'
import { prune } from './prune.ts'
import type { Names, Schema, Version } from './schema.ts'
import { customStrategy } from './strategy.ts'

/** The rows of the table that a custom resource definition adds: one for each served version. */
export function customRows(definition: KubeObject): readonly Resource[] {
  const versions = listAt(definition, 'spec', 'versions') as readonly Version[]
  const storage = versions.find((version) => version.storage)
  if (storage === undefined) return []
  return versions.filter((version) => version.served).map((version) => row(definition, version, storage))
}

function row(definition: KubeObject, version: Version, storage: Version): Resource {
  const group = textAt(definition, 'spec', 'group')
  const names = objectAt(definition, 'status', 'acceptedNames') as unknown as Names
  const schema = version.schema?.openAPIV3Schema
  const hasStatus = version.subresources?.status !== undefined
  const apiVersion = `${group}/${version.name}`
  const stored = `${group}/${storage.name}`
  return {
    group,
    version: version.name,
    resource: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    namespaced: textAt(definition, 'spec', 'scope') === 'Namespaced',
    verbs: ALL_VERBS,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    subresources: hasStatus ? ['status'] : [],
    decode: (value) => decodeCustom(value, apiVersion, names.kind, schema),
    strategy: customStrategy(schema, hasStatus, deprecation(version, apiVersion, names.kind)),
    columns: customColumns(version.additionalPrinterColumns ?? []),
    selectableFields: selectable(version),
    collection: `${group}/${names.plural}`,
    storedVersion: stored,
    conversion: {
      toStored: (object) => (object.apiVersion === stored ? object : { ...object, apiVersion: stored }),
      fromStored: (object) => {
        const shaped = applyDefaults(prune(object, schema, []), schema) as KubeObject
        return shaped.apiVersion === apiVersion ? shaped : { ...shaped, apiVersion }
      },
    },
    custom: true,
    ...(schema === undefined ? {} : { openApiSchema: schema }),
  }
}

function decodeCustom(
  value: JsonObject,
  apiVersion: string,
  kind: string,
  schema: Schema | undefined,
): Decoded {
  const unknown: string[] = []
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = value
  const unknownInMetadata: string[] = []
  const decoded = decodeStruct('meta.ObjectMeta', isObject(metadata) ? metadata : {}, unknownInMetadata)
  const { managedFields: _managedFields, selfLink: _selfLink, ...meta } = decoded
  const object: KubeObject = { apiVersion, kind, metadata: meta, ...rest }
  const pruned = prune(object, schema, unknown)
  const all = [...unknown, ...unknownInMetadata.map((field) => `metadata.${field}`)].sort()
  return { object: applyDefaults(pruned, schema) as KubeObject, unknown: all }
}

function selectable(version: Version): Record<string, (object: KubeObject) => string> {
  const fields = (version.selectableFields ?? []).map(({ jsonPath }) => {
    const read = parseJsonPath(jsonPath)
    return [jsonPath.replace(/^\./, ''), (object: KubeObject) => String(read?.(object)[0] ?? '')] as const
  })
  return Object.fromEntries(fields)
}

function deprecation(version: Version, apiVersion: string, kind: string): readonly string[] {
  if (version.deprecated !== true) return []
  return [version.deprecationWarning ?? `${apiVersion} ${kind} is deprecated`]
}
