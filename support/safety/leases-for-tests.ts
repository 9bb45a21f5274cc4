/** What tests of the leases have in common: holders, and what they leave. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { HOLDER_ANNOTATION } from '../../src/contract/names.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { thisMachine } from '../../src/process/process-table.ts'
import { LEASES, type LeaseTiming } from './held-lease.ts'
import { type Holder, thisHolder } from './holder.ts'
import type { Acquisition } from './turn.ts'

/** For leases that run out while a test looks on. */
export const BRIEF: LeaseTiming = { durationS: 1, renewEveryMs: 20, marginMs: 500 }

/** Of a worker of this process, with nobody to tell and nothing to put right. */
export function acquisitionOf(
  kube: KubeClient,
  run: string,
  signal: AbortSignal,
  change: Partial<Acquisition> = {},
): Acquisition {
  const holder = thisHolder(run, '0')
  return { kube, holder, signal, say: () => undefined, onTurn: async () => undefined, ...change }
}

/** A holder whose process can't be seen from here. */
export function elsewhere(run: string): Holder {
  const holder = thisHolder(run, '0')
  return { ...holder, process: { ...holder.process, boot: 'another machine' } }
}

/** A holder in a process of its own, which lives until it is killed. */
export async function livingHolder(run: string): Promise<{ holder: Holder; kill(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const holder = thisHolder(run, '0')
  const mark = { ...holder.process, pid, startTime: thisMachine.startTime(pid) ?? '' }
  return {
    holder: { ...holder, process: mark },
    kill: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** A lease as its holder left it, who renews it no more. */
export async function leaveLease(
  kube: KubeClient,
  name: string,
  holder: Holder,
  leaseDurationSeconds: number,
  labels: Readonly<Record<string, string>> = {},
): Promise<void> {
  await kube.create(LEASES, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, labels, annotations: { [HOLDER_ANNOTATION]: JSON.stringify(holder) } },
    spec: { holderIdentity: `${holder.run}/${holder.worker}`, leaseDurationSeconds },
  })
}
