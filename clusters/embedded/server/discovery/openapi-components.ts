import type { JsonObject } from '../json/exact.ts'
import type { Resource } from '../registry/resource.ts'
import { type Field, type Scalar, structFields, type TypeRef } from '../schemas/types.ts'

const PACKAGES: Readonly<Record<string, string>> = {
  core: 'io.k8s.api.core.v1',
  apps: 'io.k8s.api.apps.v1',
  coordination: 'io.k8s.api.coordination.v1',
  events: 'io.k8s.api.events.v1',
  meta: 'io.k8s.apimachinery.pkg.apis.meta.v1',
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
}

const INTEGER = { type: 'integer' }
const STRING = { type: 'string' }
const SCALARS: Readonly<Record<Scalar, object>> = {
  string: STRING,
  bool: { type: 'boolean' },
  int32: { ...INTEGER, format: 'int32' },
  int64: { ...INTEGER, format: 'int64' },
  float64: { type: 'number', format: 'double' },
  '[]byte': { ...STRING, format: 'byte' },
  Time: { ...STRING, format: 'date-time' },
  MicroTime: { ...STRING, format: 'date-time' },
  Duration: STRING,
  Quantity: { oneOf: [STRING, { type: 'number' }] },
  IntOrString: { oneOf: [INTEGER, STRING], format: 'int-or-string' },
  Raw: {},
  SchemaOrBool: {},
  SchemaOrArray: {},
  SchemaOrStrings: {},
}

/** The name of a resource's schema in the document of its group. */
export function componentName(row: Resource): string {
  if (row.struct !== undefined) return structName(row.struct)
  return `${row.group.split('.').reverse().join('.')}.${row.version}.${row.kind}`
}

/** The schemas of the rows and of all that they are made of. */
export function components(rows: readonly Resource[]): Record<string, object> {
  const schemas: Record<string, object> = {}
  const pending: string[] = []
  for (const row of rows) {
    const kind = [{ group: row.group, version: row.version, kind: row.kind }]
    if (row.struct === undefined) {
      schemas[componentName(row)] = { ...customSchema(row), 'x-kubernetes-group-version-kind': kind }
      pending.push('meta.ObjectMeta')
    } else
      schemas[structName(row.struct)] = {
        ...structSchema(row.struct, pending),
        'x-kubernetes-group-version-kind': kind,
      }
  }
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (schemas[structName(next)] === undefined) schemas[structName(next)] = structSchema(next, pending)
  }
  return schemas
}

function customSchema(row: Resource): JsonObject {
  const schema = row.openApiSchema ?? { type: 'object' }
  return {
    ...schema,
    properties: {
      ...(schema.properties as JsonObject | undefined),
      apiVersion: STRING,
      kind: STRING,
      metadata: reference('meta.ObjectMeta'),
    },
  }
}

function structSchema(name: string, pending: string[]): object {
  const properties: Record<string, object> = {}
  for (const [key, field] of structFields(name))
    properties[key] = { ...typeSchema(field.type, pending), ...patchHints(field) }
  return { type: 'object', properties }
}

function patchHints(field: Field): object {
  const strategies = [...(field.merge ? ['merge'] : []), ...(field.retainKeys ? ['retainKeys'] : [])]
  return {
    ...(field.mergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': field.mergeKey }),
    ...(strategies.length === 0 ? {} : { 'x-kubernetes-patch-strategy': strategies.join(',') }),
  }
}

function typeSchema(type: TypeRef, pending: string[]): object {
  switch (type.of) {
    case 'pointer':
      return typeSchema(type.to, pending)
    case 'list':
      return { type: 'array', items: typeSchema(type.items, pending) }
    case 'map':
      return { type: 'object', additionalProperties: typeSchema(type.values, pending) }
    case 'struct':
      pending.push(type.name)
      return { allOf: [reference(type.name)] }
    case 'scalar':
      return SCALARS[type.name]
  }
}

function reference(struct: string): object {
  return { $ref: `#/components/schemas/${structName(struct)}` }
}

function structName(struct: string): string {
  const dot = struct.indexOf('.')
  return `${PACKAGES[struct.slice(0, dot)] ?? struct.slice(0, dot)}.${struct.slice(dot + 1)}`
}
