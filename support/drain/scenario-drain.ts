import type { NodeRole } from '../../src/contract/cluster-roles.ts'
import { SCENARIO_LABEL } from '../../src/contract/names.ts'
import { textTable } from '../evidence/text-table.ts'
import { nodesOf } from '../nodes/nodes.ts'
import type { PoolwrightWorld } from '../world.ts'
import { Drain, type Drained, type DrainProgress } from './drain.ts'
import { showKey } from './drained-pod.ts'
import type { DrainConsent } from './verdict.ts'

/** How a drain of the scenario went. */
export interface Drilled {
  readonly progress: readonly DrainProgress[]
  readonly drained?: Drained
  /** Why it failed, DrainRefusedError or DrainIncompleteError among others. */
  readonly error?: Error
}

const last = new WeakMap<PoolwrightWorld, Drilled>()

/** How the scenario's last drain went. */
export function lastDrain(world: PoolwrightWorld): Drilled {
  const drilled = last.get(world)
  if (!drilled) throw new Error('the scenario has drained no node')
  return drilled
}

/** The same, of one that emptied its node; throws its error. */
export function lastDrained(world: PoolwrightWorld): Drilled & { readonly drained: Drained } {
  const { error, drained, progress } = lastDrain(world)
  if (error) throw error
  if (!drained) throw new Error('the drain has not ended')
  return { drained, progress }
}

/**
 * Drains a node of the scenario's own pods: those of other scenarios and runs are none of its business. What was told of
 * each pod is attached. Never throws for what the drain ends with.
 */
export async function drainNode(
  world: PoolwrightWorld,
  role: NodeRole,
  consent: DrainConsent = {},
): Promise<Drilled> {
  const began = Date.now()
  const progress: DrainProgress[] = []
  const rows: string[][] = []
  const drain = new Drain({
    ...consent,
    kube: world.kube,
    // Else the scheduler could put a replacement back where it was evicted.
    cordons: {
      cordon: () => nodesOf(world).cordon(role),
      uncordon: (node) => world.changes.uncordon(node),
    },
    node: nodesOf(world).name(role),
    pods: `${SCENARIO_LABEL}=${world.scenario}`,
    limitMs: world.limits.reaction,
    signal: world.signal,
    onProgress: (one) => {
      progress.push(one)
      rows.push([`${Date.now() - began} ms`, showKey(one.pod), one.what, one.why])
    },
  })
  const drilled = await drain.run().then(
    (drained): Drilled => ({ progress, drained }),
    (error: Error): Drilled => ({ progress, error }),
  )
  last.set(world, drilled)
  const text = [textTable(['after', 'pod', 'what', 'why'], rows), drilled.error?.message ?? 'drained'].join(
    '\n',
  )
  world.attach(text, { mediaType: 'text/plain', fileName: `drain of the ${role} node.txt` })
  return drilled
}
