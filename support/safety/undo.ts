import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { RESTORE_FENCE_ANNOTATION, RUN_LABEL } from '../../src/contract/names.ts'
import { ifFound, isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { waitFor } from '../../src/kube/wait-for.ts'
import { byHand } from './by-hand.ts'
import type { JournalEntry, Taint } from './entry.ts'
import { undoFields, valuesBefore } from './fields.ts'
import { assertFieldsAllowed, isMarked } from './guard.ts'
import type { Recorded } from './journal.ts'
import { type NodeSwitch, untilReady } from './node-switch.ts'
import { persist } from './persist.ts'
import { undoTaints } from './taints.ts'

export interface UndoSite {
  readonly kube: KubeClient
  readonly signal: AbortSignal
  /** Milliseconds for an object to be gone. */
  readonly goneWithinMs: number
  /** Milliseconds for a node to be Ready again. */
  readonly readyWithinMs: number
  /** Absent where nodes can't be switched from here. */
  readonly nodes?: NodeSwitch | undefined
  /**
   * Throws where the right to change the cluster is lost: asked before every write.
   */
  readonly assertHeld: () => void
  /**
   * Whether the entries are this process's own. Those that were only read are obeyed on what is marked or made by a run
   * alone: anybody who may write ConfigMaps could have written them.
   */
  readonly own: boolean
}

/** What became of one entry. */
export interface Undone {
  readonly outcome: 'undone' | 'nothing to undo'
  /** What was left alone because it is somebody else's by now. */
  readonly left: readonly string[]
}

/** An entry that could not be undone; the message ends with what to do by hand. */
export class UndoError extends Error {
  constructor(recorded: Recorded, cause: unknown) {
    const { target, change } = recorded.entry
    const why = cause instanceof Error ? cause.message : String(cause)
    const lines = byHand(recorded).map((line) => `  ${line}`)
    super(
      `${target.kind} ${target.name} is not as it was (${change.kind}): ${why}\nBy hand:\n${lines.join('\n')}`,
      { cause },
    )
    this.name = 'UndoError'
  }
}

/** Takes back what one entry tells of, and reads back that it is so. Throws UndoError. Safe to repeat. */
export async function undo(recorded: Recorded, site: UndoSite): Promise<Undone> {
  try {
    return await undoEntry(recorded.entry, site)
  } catch (error) {
    throw new UndoError(recorded, error)
  }
}

function undoEntry(entry: JournalEntry, site: UndoSite): Promise<Undone> {
  const { change } = entry
  switch (change.kind) {
    case 'taints':
      return rewrite(entry, site, (node) => {
        const { next, left } = undoTaints(taintsOf(node), change)
        return { patch: next && { spec: { taints: next.length ? next : null } }, left }
      })
    case 'fields':
      return rewrite(entry, site, (object) => {
        const { patch, left } = undoFields(object, change.fields)
        if (patch && !site.own) assertFieldsAllowed(valuesBefore(change.fields))
        return { patch, left }
      })
    case 'created':
      return removeCreated(entry, site)
    case 'node-operation':
      return switchOn(entry, change.operation, site)
  }
}

/** Another writer may be at the object all the time; each time it is decided anew. */
const ATTEMPTS = 50

/** Writes until a read shows that nothing is left to write. */
async function rewrite(
  { target }: JournalEntry,
  { kube, signal, own, assertHeld }: UndoSite,
  decide: (object: KubernetesObject) => { patch: object | undefined; left: readonly string[] },
): Promise<Undone> {
  let outcome: Undone['outcome'] = 'nothing to undo'
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const object = await find(kube, target.path, signal)
    // One of the same name that came later has nothing of ours.
    if (object?.metadata?.uid !== target.uid) return { outcome, left: [] }
    const { patch, left } = decide(object)
    if (!patch) {
      if (!own && outcome === 'nothing to undo' && isOurs(object)) {
        assertHeld()
        await fence(kube, target.path, object, signal)
      }
      return { outcome, left }
    }
    if (!own && !isOurs(object))
      throw new Error('it is no longer marked for tests, so nothing that was only read is done to it')
    assertHeld()
    outcome = 'undone'
    const { uid, resourceVersion } = object.metadata ?? {}
    const merged = {
      ...patch,
      metadata: { ...('metadata' in patch ? (patch.metadata as object) : {}), uid, resourceVersion },
    }
    await persist(signal, () => kube.patch(target.path, merged, 'merge', signal)).catch((error: unknown) => {
      // Conflict: somebody wrote, or an answer was lost; the next read tells.
      if (!isConflict(error)) throw error
    })
  }
  throw new Error(`it was changed by others at each of ${ATTEMPTS} attempts`)
}

/** Given over to tests, or made by some run. */
function isOurs({ metadata }: KubernetesObject): boolean {
  return isMarked(metadata) || metadata?.labels?.[RUN_LABEL] !== undefined
}

/**
 * Makes another version of the object and leaves it as it was: what the dead had sent and did not see answered names the
 * version that it read, and now fails should it arrive after all.
 */
async function fence(
  kube: KubeClient,
  path: string,
  { metadata }: KubernetesObject,
  signal: AbortSignal,
): Promise<void> {
  const { uid, resourceVersion } = metadata ?? {}
  const annotate = (value: string | undefined, version: object): Promise<unknown> => {
    const annotations = { [RESTORE_FENCE_ANNOTATION]: value ?? null }
    return persist(signal, () =>
      kube.patch(path, { metadata: { uid, ...version, annotations } }, 'merge', signal),
    )
  }
  try {
    await annotate(resourceVersion, { resourceVersion })
  } catch (error) {
    // Somebody else has just made another version, or the object is gone.
    if (!isConflict(error) && !isNotFound(error)) throw error
  }
  await annotate(undefined, {}).catch((error: unknown) => {
    if (!isConflict(error) && !isNotFound(error)) throw error
  })
}

async function removeCreated({ run, target }: JournalEntry, site: UndoSite): Promise<Undone> {
  const { kube, signal, goneWithinMs: limitMs, assertHeld } = site
  const found = await find(kube, target.path, signal)
  if (!found) return { outcome: 'nothing to undo', left: [] }
  if (found.metadata?.labels?.[RUN_LABEL] !== run)
    return { outcome: 'nothing to undo', left: [`${target.kind} ${target.name} was made by somebody else`] }
  const { uid } = found.metadata
  assertHeld()
  await persist(signal, () => kube.delete(target.path, { preconditions: { uid } }, signal)).catch(
    (error: unknown) => {
      if (!isNotFound(error) && !isConflict(error)) throw error
    },
  )
  await waitFor<KubernetesObject, true>(kube, {
    for: `${target.kind} ${target.name} to be gone`,
    path: target.path.slice(0, target.path.lastIndexOf('/')),
    fieldSelector: `metadata.name=${target.name}`,
    until: (objects) => !objects.some(({ metadata }) => metadata?.uid === uid) || undefined,
    limitMs,
    signal,
  })
  return { outcome: 'undone', left: [] }
}

async function switchOn(
  { target: { name } }: JournalEntry,
  operation: 'stop-kubelet' | 'kill',
  { kube, signal, nodes, readyWithinMs: limitMs, assertHeld }: UndoSite,
): Promise<Undone> {
  if (!nodes) throw new Error('nodes of this cluster can’t be switched from here')
  assertHeld()
  const back = operation === 'kill' ? nodes.bringBack : nodes.startKubelet
  await untilReady(kube, name, () => back(name, signal), { limitMs, signal })
  return { outcome: 'undone', left: [] }
}

async function find(
  kube: KubeClient,
  path: string,
  signal: AbortSignal,
): Promise<KubernetesObject | undefined> {
  return ifFound(persist(signal, () => kube.get(path, signal)))
}

/** The taints of a Node, as it was read. */
export function taintsOf({ spec }: KubernetesObject): readonly Taint[] {
  return (spec as { taints?: readonly Taint[] } | undefined)?.taints ?? []
}
