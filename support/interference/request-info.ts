/** The verbs by which Kubernetes itself (authorization, audit) names what a request does. */
export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | 'other'

/** What a request to the API is about. A path that names no resource (`/version`) has an empty resource. */
export interface RequestInfo {
  readonly verb: Verb
  readonly resource: string
  readonly subresource?: string
  readonly namespace?: string
  readonly name?: string
}

/** Reads verb, resource and object from method and URL, as k8s.io/apiserver's RequestInfoFactory does. */
export function requestInfo(method: string, target: string): RequestInfo {
  const url = new URL(target, 'http://api')
  const rest = resourcePath(url.pathname.split('/').filter(Boolean).map(decoded))
  if (!rest.length) return { verb: 'other', resource: '' }
  const namespaced = rest[0] === 'namespaces' && rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? '')
  const [resource = '', name, subresource] = namespaced ? rest.slice(2) : rest
  return {
    verb: verb(method, name !== undefined, url.searchParams.get('watch')),
    resource,
    ...(subresource !== undefined && { subresource }),
    ...(namespaced && { namespace: rest[1] as string }),
    ...(name !== undefined && { name }),
  }
}

const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize'])

/** The parts after group and version: `/api/v1/…` or `/apis/<group>/<version>/…`. */
function resourcePath(parts: readonly string[]): string[] {
  if (parts[0] === 'api') return parts.slice(2)
  if (parts[0] === 'apis') return parts.slice(3)
  return []
}

function verb(method: string, named: boolean, watch: string | null): Verb {
  if (method === 'GET' || method === 'HEAD') {
    if (watch === 'true' || watch === '1') return 'watch'
    return named ? 'get' : 'list'
  }
  if (method === 'POST') return 'create'
  if (method === 'PUT') return 'update'
  if (method === 'PATCH') return 'patch'
  if (method === 'DELETE') return named ? 'delete' : 'deletecollection'
  return 'other'
}

/** A malformed escape stays as it is: the API itself will refuse it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
