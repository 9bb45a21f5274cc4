import { readFileSync } from 'node:fs'
import type { ResourcePath } from '../http/request-path.ts'
import { methodNotAllowed, notImplemented } from '../status.ts'

interface Known {
  readonly namespaced?: boolean
  /** Absent: all eight. */
  readonly verbs?: string
  readonly subresources?: Readonly<Record<string, string>>
}

const ALL_VERBS = 'create delete deletecollection get list patch update watch'

let resources: Readonly<Record<string, Readonly<Record<string, Known>>>> | undefined

/**
 * Refuses what Kubernetes v1.36 has by default and this server has not: 501 naming verb and resource, or 405 where Kubernetes does not
 * allow the method either. Returns where Kubernetes itself knows nothing of the path.
 */
export function refuseUnserved(path: ResourcePath, verb: string): void {
  // The list is what the default configuration of a real server names in its discovery.
  resources ??= JSON.parse(
    readFileSync(new URL('kubernetes-resources.json', import.meta.url), 'utf8'),
  ) as NonNullable<typeof resources>
  const version = path.group === '' ? path.version : `${path.group}/${path.version}`
  const known = resources[version]?.[path.resource]
  if (known === undefined || (known.namespaced !== true && path.namespace !== undefined)) return
  const allowed =
    path.subresource === undefined ? (known.verbs ?? ALL_VERBS) : known.subresources?.[path.subresource]
  if (allowed === undefined) return
  const everywhere = known.namespaced === true && path.namespace === undefined
  if (everywhere && path.name !== undefined) return
  if (!allowed.split(' ').includes(verb) || (everywhere && verb !== 'list' && verb !== 'watch'))
    throw methodNotAllowed()
  const resource = path.subresource === undefined ? path.resource : `${path.resource}/${path.subresource}`
  throw notImplemented({ verb, resource }, `${resource} of ${version} are not served by this cluster`)
}
