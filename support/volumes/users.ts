import type { NodeRole } from '../../src/contract/cluster-roles.ts'
import { podsOf } from '../pods/pods.ts'
import type { PoolwrightWorld } from '../world.ts'

export interface UserRequest {
  readonly claim: string
  /** The only node that it may run on. */
  readonly node?: NodeRole
  /** A node that it would rather run on than on any other. */
  readonly rather?: NodeRole
}

/** Where users of a claim find its volume. */
const MOUNT = '/data'
const MARKER_FILE = `${MOUNT}/marker`
const HOSTNAME = 'kubernetes.io/hostname'

/** Makes a pod that has the claim's volume; doesn't wait for anything. */
export async function createUser(
  world: PoolwrightWorld,
  name: string,
  { claim, node, rather }: UserRequest,
): Promise<void> {
  const pods = podsOf(world)
  await pods.create(name, {
    does: ['stay:'],
    ...(node && { node: pods.node(node) }),
    container: { volumeMounts: [{ name: 'data', mountPath: MOUNT }] },
    spec: {
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }],
      ...(rather && { affinity: { nodeAffinity: preferring(pods.node(rather)) } }),
    },
  })
}

/** Adds a line to the marker on the volume of a pod. */
export async function writeMarker(world: PoolwrightWorld, name: string, text: string): Promise<void> {
  const { exitCode, stdout } = await podsOf(world).act(name, [`append:${MARKER_FILE}=${text}`])
  if (exitCode !== 0)
    throw new Error(`pod ${name} could not write its marker: ${stdout || `code ${exitCode}`}`)
}

/** All lines of the marker on the volume of a pod; none where there is no marker. */
export async function readMarker(world: PoolwrightWorld, name: string): Promise<readonly string[]> {
  const { exitCode, stdout } = await podsOf(world).act(name, [`print:${MARKER_FILE}`])
  return exitCode === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}

/** So much that nothing else which the scheduler counts outweighs it. */
function preferring(node: string): object {
  const preference = { matchExpressions: [{ key: HOSTNAME, operator: 'In', values: [node] }] }
  return { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] }
}
