/** The resource that a request path names: group `''` is the core one. Undefined for paths that name none (discovery, health). */
export interface RequestResource {
  readonly group: string
  readonly resource: string
  readonly subresource?: string
}

/** Subresources of a Namespace itself; anything else behind its name is a resource in it. */
const OF_NAMESPACES = ['status', 'finalize']

export function requestResource(path: string): RequestResource | undefined {
  const [root, ...rest] = path
    .replace(/[?#].*/, '')
    .split('/')
    .filter(Boolean)
  const group = root === 'api' ? '' : root === 'apis' ? rest.shift() : undefined
  if (group === undefined) return undefined
  const [, ...below] = rest
  const [resource, , subresource] = inNamespace(below[0] === 'watch' ? below.slice(1) : below)
  if (resource === undefined) return undefined
  return { group, resource, ...(subresource !== undefined && { subresource }) }
}

function inNamespace(segments: readonly string[]): readonly string[] {
  const [first, , third] = segments
  const isNamespaceItself = third === undefined || OF_NAMESPACES.includes(third)
  return first === 'namespaces' && !isNamespaceItself ? segments.slice(2) : segments
}
