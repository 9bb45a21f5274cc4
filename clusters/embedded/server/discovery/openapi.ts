import { createHash } from 'node:crypto'
import type { Answer } from '../http/respond.ts'
import { patchTypes } from '../registry/patch.ts'
import type { Registry } from '../registry/registry.ts'
import { groupVersion, type Resource } from '../registry/resource.ts'
import { componentName, components } from './openapi-components.ts'

/**
 * A small OpenAPI v3: of the operations only PATCH, which tells clients that fields are validated here and how objects are patched, and
 * the schemas with the keys that lists are merged by.
 */
export function openApi(registry: Registry, path: string): Answer | undefined {
  if (path === '/openapi/v3') return json(index(registry))
  const prefix = '/openapi/v3/'
  if (!path.startsWith(prefix)) return undefined
  const wanted = path.slice(prefix.length)
  const rows = registry.resources().filter((row) => documentOf(row) === wanted)
  return rows.length === 0 ? undefined : json(document(rows))
}

function index(registry: Registry): object {
  const paths: Record<string, object> = {}
  for (const row of registry.resources()) {
    const name = documentOf(row)
    if (paths[name] !== undefined) continue
    const rows = registry.resources().filter((each) => documentOf(each) === name)
    const hash = createHash('sha256')
      .update(JSON.stringify(document(rows)))
      .digest('hex')
      .toUpperCase()
    paths[name] = { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` }
  }
  return { paths }
}

function documentOf(row: Resource): string {
  return row.group === '' ? `api/${row.version}` : `apis/${groupVersion(row)}`
}

function document(rows: readonly Resource[]): object {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.3' },
    paths: Object.fromEntries(rows.map((row) => [objectPath(row), { patch: patchOperation(row) }])),
    components: { schemas: components(rows) },
  }
}

function objectPath(row: Resource): string {
  return `/${documentOf(row)}/${row.namespaced ? 'namespaces/{namespace}/' : ''}${row.resource}/{name}`
}

function patchOperation(row: Resource): object {
  const schema = { $ref: `#/components/schemas/${componentName(row)}` }
  const parameter = (name: string): object => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  })
  return {
    parameters: ['dryRun', 'fieldManager', 'fieldValidation'].map(parameter),
    requestBody: {
      content: Object.fromEntries(
        patchTypes(row)
          .filter((type) => !type.includes('apply'))
          .map((type) => [type, { schema: { type: 'object' } }]),
      ),
    },
    responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } },
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group: row.group, version: row.version, kind: row.kind },
  }
}

function json(value: object): Answer {
  return { code: 200, contentType: 'application/json', body: JSON.stringify(value) }
}
