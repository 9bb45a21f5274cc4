import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { ownEnvironment } from '../../clusters/kubectl/own-environment.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { Drain } from '../../support/drain/drain.ts'
import { DrainRefusedError } from '../../support/drain/drain-errors.ts'
import type { DrainCase } from './cases.ts'
import type { TestNode } from './test-node.ts'

/** How a drain ended. */
export interface Ending {
  readonly succeeded: boolean
  /** Names of the pods that it says it may not evict. */
  readonly refused: ReadonlySet<string>
  /** What it said, for people. */
  readonly said: string
}

/** Something that drains: what it is called, and how it does. */
export interface DrainTool {
  readonly name: string
  drain(node: TestNode, of: DrainCase, signal: AbortSignal): Promise<Ending>
}

/** For what never ends; kubectl looks at its limit only every 5 seconds. */
const HELD_LIMIT_S = 8
/** For what does: whoever reaches it has not drained. */
const LIMIT_S = 60
/** More than the limits above. */
const PROCESS_LIMIT_MS = 90_000

export function ours(kube: KubeClient): DrainTool {
  return {
    name: 'ours',
    async drain(node, of, signal) {
      const cordons = { cordon: () => node.cordon(), uncordon: () => node.uncordon() }
      const drain = new Drain({
        ...of.consent,
        kube,
        cordons,
        node: node.name,
        limitMs: limitOf(of) * 1_000,
        signal,
      })
      try {
        await drain.run()
        return { succeeded: true, refused: new Set(), said: '' }
      } catch (error) {
        signal.throwIfAborted()
        const refused = error instanceof DrainRefusedError ? error.refused.map(({ pod }) => pod.name) : []
        return { succeeded: false, refused: new Set(refused), said: (error as Error).message }
      }
    },
  }
}

export function theirs(kubectl: string, kubeconfig: string): DrainTool {
  return {
    name: 'kubectl',
    async drain(node, of, signal) {
      const { force, deleteLocalData } = of.consent
      const home = await mkdtemp(join(tmpdir(), 'poolwright-drain-check-'))
      try {
        const words = [
          'drain',
          node.name,
          '--ignore-daemonsets',
          `--timeout=${limitOf(of)}s`,
          ...(force ? ['--force'] : []),
          ...(deleteLocalData ? ['--delete-emptydir-data'] : []),
        ]
        const { exitCode, stderr, timedOut } = await execa(kubectl, words, {
          env: ownEnvironment(home, kubeconfig),
          extendEnv: false,
          reject: false,
          stdin: 'ignore',
          timeout: PROCESS_LIMIT_MS,
          cancelSignal: signal,
        })
        signal.throwIfAborted()
        if (timedOut) throw new Error(`kubectl drain ${node.name} did not end: ${stderr}`)
        return { succeeded: exitCode === 0, refused: refusedIn(stderr), said: stderr }
      } finally {
        await rm(home, { recursive: true, force: true })
      }
    },
  }
}

function limitOf({ isHeld }: DrainCase): number {
  return isHeld ? HELD_LIMIT_S : LIMIT_S
}

/**
 * The pods that kubectl says it cannot delete, all in one line: `error: unable to drain node "n" due to error: [cannot
 * delete Pods with local storage (use …): ns/a, ns/b, cannot delete Pods that …: ns/c], continuing command...`.
 */
export function refusedIn(stderr: string): ReadonlySet<string> {
  const [line = ''] = stderr.split('\n').filter((one) => one.includes('cannot delete '))
  return new Set(
    [...line.matchAll(/[\s,:]([a-z0-9.-]+)\/([a-z0-9.-]+)(?=[\],]|$)/g)].map((match) => match[2] ?? ''),
  )
}
