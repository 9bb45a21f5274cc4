import type { NodeRole } from '../../src/contract/cluster-roles.ts'
import { containerOf } from '../pods/pod.ts'
import { podsOf } from '../pods/pods.ts'
import type { PoolwrightWorld } from '../world.ts'
import { SERVER_LABEL, SERVER_PORT, SERVICE_LABEL } from './service.ts'
import { servicesOf } from './services.ts'

export interface ServerRequest {
  /** The Service that it is behind; made where there is none of this name. */
  readonly service?: string
  readonly node?: NodeRole
  /** Whether it says that it is ready. */
  readonly ready?: boolean
  /** Asked to end, it serves on until its grace period is over. */
  readonly lingers?: boolean
  /** A port of its node. */
  readonly hostPort?: number
}

/** A server is ready while this file of its own exists. */
const READY_FILE = 'ready'
const READY_PORT = 8_080
/** Long enough that what is looked at is over before it. */
const LINGERING_SECONDS = 30

/** Makes a pod that answers by TCP and UDP with its name; doesn't wait for anything. */
export async function createServer(
  world: PoolwrightWorld,
  name: string,
  { service, node, ready = true, lingers = false, hostPort }: ServerRequest,
): Promise<void> {
  const pods = podsOf(world)
  if (service !== undefined) await servicesOf(world).shape(service)
  await pods.create(name, {
    does: [
      ...(lingers ? ['term:ignore'] : []),
      ...(ready ? [`write:${READY_FILE}=`] : []),
      `tcp:${SERVER_PORT}`,
      `udp:${SERVER_PORT}`,
      `http:${READY_PORT}=${READY_FILE}`,
    ],
    labels: { [SERVER_LABEL]: name, ...(service !== undefined && { [SERVICE_LABEL]: service }) },
    ...(node && { node: pods.node(node) }),
    container: {
      readinessProbe: { httpGet: { port: READY_PORT }, periodSeconds: 1, failureThreshold: 1 },
      ...(hostPort !== undefined && { ports: [{ containerPort: SERVER_PORT, hostPort }] }),
    },
    ...(lingers && { spec: { terminationGracePeriodSeconds: LINGERING_SECONDS } }),
  })
  // Its namespace need not wait for it.
  if (lingers)
    world.defer((signal) =>
      world.kube.delete(`${pods.path}/${name}`, { gracePeriodSeconds: 1 }, signal).catch(() => undefined),
    )
}

/** Watches until its container runs. */
export async function untilServerRuns(world: PoolwrightWorld, name: string): Promise<void> {
  await podsOf(world).until(name, 'to run', (pod) => pod && containerOf(pod)?.state?.running)
}

/** From its next probe on it is ready. */
export async function sayReady(world: PoolwrightWorld, name: string): Promise<void> {
  await podsOf(world).actWell(name, [`write:${READY_FILE}=`])
}

/** From its next probe on it is not ready; it answers all the same. */
export async function sayNotReady(world: PoolwrightWorld, name: string): Promise<void> {
  await podsOf(world).actWell(name, [`remove:${READY_FILE}`])
}
