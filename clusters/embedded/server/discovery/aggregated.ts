import type { Answer } from '../http/respond.ts'
import type { Registry } from '../registry/registry.ts'
import type { Resource } from '../registry/resource.ts'
import { groups, versionsOf } from './groups.ts'
import { subresourceVerbs, verbsOf } from './resource-list.ts'

const AGGREGATED_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** All of /api or /apis in one answer, which is what clients ask for first. */
export function aggregated(registry: Registry, root: 'api' | 'apis'): Answer {
  const names = root === 'api' ? [''] : groups(registry).map(({ name }) => name)
  const items = names.map((name) => ({
    metadata: name === '' ? {} : { name },
    versions: versionsOf(registry, name).map((version) => ({
      version,
      resources: registry
        .resources()
        .filter((row) => row.group === name && row.version === version)
        .sort((left, right) => (left.resource < right.resource ? -1 : 1))
        .map(entry),
      freshness: 'Current',
    })),
  }))
  const body = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items }
  return { code: 200, contentType: AGGREGATED_TYPE, body: JSON.stringify(body) }
}

function entry(row: Resource): object {
  const responseKind = {
    group: row.custom ? row.group : '',
    version: row.custom ? row.version : '',
    kind: row.kind,
  }
  return {
    resource: row.resource,
    responseKind,
    scope: row.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: row.singular,
    verbs: verbsOf(row),
    ...(row.shortNames.length === 0 ? {} : { shortNames: row.shortNames }),
    ...(row.categories.length === 0 ? {} : { categories: row.categories }),
    ...(row.subresources.length === 0
      ? {}
      : {
          subresources: [...row.subresources]
            .sort()
            .map((subresource) => ({ subresource, responseKind, verbs: subresourceVerbs(subresource) })),
        }),
  }
}
