import type { Resource } from './kubernetes-api.ts'

/** The core group's ConfigMaps of one namespace. */
export function configMaps(namespace: string): Resource {
  return { group: '', version: 'v1', plural: 'configmaps', namespace }
}

export const NAMESPACES: Resource = { group: '', version: 'v1', plural: 'namespaces' }
export const NODES: Resource = { group: '', version: 'v1', plural: 'nodes' }

/** URL path of a collection, or of one object in it. */
export function pathOf(resource: Resource, name?: string): string {
  const root = resource.group === '' ? '/api' : `/apis/${encodeURIComponent(resource.group)}`
  const scope =
    resource.namespace === undefined ? '' : `/namespaces/${encodeURIComponent(resource.namespace)}`
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`
  return `${root}/${encodeURIComponent(resource.version)}${scope}/${encodeURIComponent(resource.plural)}${object}`
}
