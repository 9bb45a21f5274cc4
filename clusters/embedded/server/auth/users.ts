/** Who sent a request. */
export interface User {
  readonly name: string
  readonly groups: readonly string[]
}

export const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/** What everybody may read, as the ClusterRole system:public-info-viewer has it. */
const PUBLIC_PATHS = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/'])

/** Until there are roles, whoever is known may do everything and whoever is not only reads what is public. */
export function mayReadPath(user: User, path: string): boolean {
  return user !== ANONYMOUS || PUBLIC_PATHS.has(path)
}
