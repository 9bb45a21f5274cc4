import type { Limits } from '../../clusters/provider.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import type { Right } from './changes.ts'
import { Journal, type Recorded } from './journal.ts'
import type { NodeSwitch } from './node-switch.ts'
import { undo } from './undo.ts'

export interface RestoreSite {
  readonly kube: KubeClient
  readonly limits: Limits
  readonly signal: AbortSignal
  /** The lease: while it is held nobody else changes anything, so that every entry is of somebody who ended or gave up. */
  readonly right: Right
  /** Absent where nodes can't be switched from here. */
  readonly nodes?: NodeSwitch | undefined
}

/** What became of one object that a run had changed. */
export interface Restored {
  /** `Node worker-1`. */
  readonly object: string
  /** What the run had done, in a word. */
  readonly change: string
  readonly outcome: 'restored' | 'nothing to do' | 'left' | 'failed'
  /** What was left alone, or why it failed and what to do by hand; may have several lines. */
  readonly note: string
}

/** Takes back whatever the journal still has, newest first, each apart from the others. Never throws for an entry. */
export async function restoreJournal(site: RestoreSite): Promise<readonly Restored[]> {
  const journal = new Journal(site.kube)
  const { entries, unreadable } = await journal.list(site.signal)
  const restored: Restored[] = []
  for (const recorded of entries) restored.push(await restoreOne(journal, recorded, site))
  const foreign = unreadable.map(({ name, problem: { message } }) => ({
    object: `ConfigMap ${name}`,
    change: 'unknown',
    outcome: 'failed' as const,
    note: `it can't be read: ${message}. Look at it, then: kubectl -n default delete configmap ${name}`,
  }))
  return [...restored, ...foreign]
}

/** A cluster is not as it was found, and nobody knows what would be proven on it. */
export class NotRestoredError extends Error {
  constructor(failed: readonly Restored[]) {
    super(`A run left what could not be restored.\n${failed.map(({ note }) => note).join('\n')}`)
    this.name = 'NotRestoredError'
  }
}

/** Those that failed, as one error; undefined where none did. */
export function restoreFailure(restored: readonly Restored[]): NotRestoredError | undefined {
  const failed = restored.filter(({ outcome }) => outcome === 'failed')
  return failed.length === 0 ? undefined : new NotRestoredError(failed)
}

/** A line for people. */
export function describeRestored({ object, change, outcome, note }: Restored): string {
  return `${object} (${change}): ${outcome}${note ? `: ${note}` : ''}`
}

async function restoreOne(journal: Journal, recorded: Recorded, site: RestoreSite): Promise<Restored> {
  const { kube, limits, signal, right, nodes } = site
  const { target, change } = recorded.entry
  const what = { object: `${target.kind} ${target.name}`, change: change.kind }
  const waits = { goneWithinMs: limits.step, readyWithinMs: limits.step }
  try {
    const assertHeld = (): void => right.assertHeld()
    const { outcome, left } = await undo(recorded, { kube, signal, nodes, assertHeld, ...waits, own: false })
    await journal.close(recorded.name, signal)
    return { ...what, outcome: outcome === 'undone' ? 'restored' : 'nothing to do', note: left.join('; ') }
  } catch (error) {
    return { ...what, outcome: 'failed', note: error instanceof Error ? error.message : String(error) }
  }
}
