/** What a path of the Kubernetes API is about. */
export interface ResourcePath {
  readonly group: string
  readonly version: string
  readonly namespace: string | undefined
  readonly resource: string
  readonly name: string | undefined
  readonly subresource: string | undefined
  /** The old form of a watch: /api/v1/watch/… */
  readonly watch: boolean
}

/** Reads /api/v1/… and /apis/GROUP/VERSION/…; undefined for every other path, also for a group or version without a resource. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const parts = decodedParts(path)
  if (parts === undefined) return undefined
  const group = parts[0] === 'apis' ? parts[1] : ''
  const rest = parts.slice(parts[0] === 'apis' ? 2 : 1)
  const version = rest.shift()
  if ((parts[0] !== 'api' && parts[0] !== 'apis') || group === undefined || version === undefined)
    return undefined
  const watch = rest[0] === 'watch' && rest.length > 1
  if (watch) rest.shift()
  const inNamespace = rest[0] === 'namespaces' && rest.length > 2 && !isNamespaceSubresource(rest)
  const namespace = inNamespace ? rest[1] : undefined
  const [resource, name, subresource, ...more] = inNamespace ? rest.slice(2) : rest
  if (resource === undefined || more.length > 0) return undefined
  return { group, version, namespace, resource, name, subresource, watch }
}

function isNamespaceSubresource(rest: readonly string[]): boolean {
  return rest.length === 3 && (rest[2] === 'status' || rest[2] === 'finalize')
}

function decodedParts(path: string): string[] | undefined {
  try {
    const parts = path.split('/').filter((part) => part !== '')
    return parts.map(decodeURIComponent)
  } catch {
    return undefined
  }
}
