import { createHash } from 'node:crypto'
import type { Registry } from '../registry/registry.ts'
import type { Resource } from '../registry/resource.ts'

/** Custom resources list their verbs in another order than built-in ones. */
const CUSTOM_ORDER = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

/** What a group and version holds, as APIResourceList. */
export function resourceList(registry: Registry, group: string, version: string): object {
  const rows = registry
    .resources()
    .filter((row) => row.group === group && row.version === version)
    .sort((left, right) => (left.resource < right.resource ? -1 : 1))
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: rows.flatMap((row) => [
      entry(row),
      ...[...row.subresources].sort().map((each) => subentry(row, each)),
    ]),
  }
}

export function verbsOf(row: Resource): readonly string[] {
  return row.custom ? CUSTOM_ORDER : row.verbs
}

export function subresourceVerbs(subresource: string): readonly string[] {
  return subresource === 'finalize' ? ['update'] : ['get', 'patch', 'update']
}

function entry(row: Resource): object {
  return {
    name: row.resource,
    singularName: row.singular,
    namespaced: row.namespaced,
    kind: row.kind,
    verbs: verbsOf(row),
    ...(row.shortNames.length === 0 ? {} : { shortNames: row.shortNames }),
    ...(row.categories.length === 0 ? {} : { categories: row.categories }),
    storageVersionHash: storageVersionHash(row),
  }
}

function subentry(row: Resource, subresource: string): object {
  return {
    name: `${row.resource}/${subresource}`,
    singularName: '',
    namespaced: row.namespaced,
    kind: row.kind,
    verbs: subresourceVerbs(subresource),
  }
}

/** Changes when the version that objects are stored in does. */
function storageVersionHash(row: Resource): string {
  const stored = row.conversion === undefined ? `${row.group}/${row.version}` : (row.storedVersion ?? '/v1')
  return createHash('sha256').update(`${stored}/${row.kind}`).digest().subarray(0, 8).toString('base64')
}
