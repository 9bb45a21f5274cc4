import type { IncomingMessage } from 'node:http'
import { parseAccept } from '../http/negotiate.ts'
import type { Answer } from '../http/respond.ts'
import type { Registry } from '../registry/registry.ts'
import { groupVersion } from '../registry/resource.ts'
import { aggregated } from './aggregated.ts'
import { groupOf, groups } from './groups.ts'
import { openApi } from './openapi.ts'
import { openApiV2 } from './openapi-v2.ts'
import { resourceList } from './resource-list.ts'

/** Answers the paths by which clients find out what there is; undefined for all others. Throws ApiError. */
export function discover(registry: Registry, path: string, request: IncomingMessage): Answer | undefined {
  if (path === '/openapi/v2') return openApiV2(request.headers.accept)
  if (path.startsWith('/openapi')) return openApi(registry, path)
  const [, root, ...rest] = path.split('/')
  if (root !== 'api' && root !== 'apis') return undefined
  if (rest.length === 0)
    return wantsAggregated(request.headers.accept)
      ? aggregated(registry, root)
      : legacyRoot(registry, root, request)
  if (root === 'api')
    return rest.length === 1 && rest[0] === 'v1' ? json(resourceList(registry, '', 'v1')) : undefined
  const [group = '', version] = rest
  if (rest.length === 1) {
    const found = groupOf(registry, group)
    return found === undefined ? undefined : json({ kind: 'APIGroup', apiVersion: 'v1', ...found })
  }
  const served = registry.resources().some((row) => groupVersion(row) === `${group}/${version}`)
  return rest.length === 2 && served ? json(resourceList(registry, group, version as string)) : undefined
}

function legacyRoot(registry: Registry, root: string, request: IncomingMessage): Answer {
  if (root === 'apis') return json({ kind: 'APIGroupList', apiVersion: 'v1', groups: groups(registry) })
  return json({
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: request.headers.host ?? '' }],
  })
}

function wantsAggregated(accept: string | undefined): boolean {
  const [first] = parseAccept(accept).filter(
    ({ type, parameters }) =>
      type === 'application/json' && (parameters.as === undefined || parameters.v === 'v2'),
  )
  return first?.parameters.as === 'APIGroupDiscoveryList' && first.parameters.g === 'apidiscovery.k8s.io'
}

function json(value: object): Answer {
  return { code: 200, contentType: 'application/json', body: JSON.stringify(value) }
}
