import type { KubernetesObject } from '../../src/contract/kubernetes.ts'

/** What the suite looks at of a Service. */
export interface Service extends KubernetesObject {
  spec?: {
    clusterIP?: string
    selector?: Record<string, string>
    ports?: { protocol?: string; port?: number; nodePort?: number }[]
  }
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } }
}

/** One pod behind a Service, as an EndpointSlice tells of it. */
export interface Endpoint {
  readonly conditions?: {
    readonly ready?: boolean
    readonly serving?: boolean
    readonly terminating?: boolean
  }
  readonly targetRef?: { readonly name?: string }
}

export interface EndpointSlice extends KubernetesObject {
  endpoints?: readonly Endpoint[] | null
}

export type Protocol = 'TCP' | 'UDP'

/** What clients dial. */
export const SERVICE_PORT = 25_565
/** Where servers listen; another number, so that nobody who goes past the Service is answered. */
export const SERVER_PORT = 7_000

/** On a server: the Service whose connections it gets. */
export const SERVICE_LABEL = 'service'
/** On a server: its own name. */
export const SERVER_LABEL = 'server'

/** The address that a load balancer gave it; undefined while there is none. */
export function givenAddress({ status }: Service): string | undefined {
  const [first] = status?.loadBalancer?.ingress ?? []
  return first?.ip ?? first?.hostname
}

/** In one line: what it is for, and where it can be reached. */
export function showService(service: Service): string {
  const { metadata, spec } = service
  const selector = Object.entries(spec?.selector ?? {}).map(([key, value]) => `${key}=${value}`)
  return `${metadata?.name} for ${selector.join(', ')} at ${spec?.clusterIP}, load balancer ${givenAddress(service) ?? 'without an address'}`
}

/** All pods behind a Service, each with how it takes connections. */
export function endpointsOf(slices: readonly EndpointSlice[]): ReadonlyMap<string, Endpoint> {
  const endpoints = slices.flatMap(({ endpoints }) => endpoints ?? [])
  return new Map(endpoints.map((endpoint) => [endpoint.targetRef?.name ?? 'nobody', endpoint]))
}

/** In a few words: `ready`, `terminating, still serving`. */
export function showEndpoint({ conditions = {} }: Endpoint): string {
  if (conditions.terminating) return conditions.serving ? 'terminating, still serving' : 'terminating'
  return conditions.ready ? 'ready' : 'not ready'
}
