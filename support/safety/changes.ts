import type { Limits } from '../../clusters/provider.ts'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { isAlreadyExists, isConflict } from '../../src/kube/api-status-error.ts'
import { BackOff } from '../../src/kube/back-off.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { describeChange } from './describe-change.ts'
import type { Change, Taint, Target } from './entry.ts'
import { asWritten, planFields } from './fields.ts'
import { assertClusterScoped, assertFieldsAllowed, assertOurs, NotAllowedError } from './guard.ts'
import type { Holder } from './holder.ts'
import { entryName, Journal, type Recorded } from './journal.ts'
import type { NodeSwitch } from './node-switch.ts'
import { isPassing, isRefusal, persist } from './persist.ts'
import { clusterScopedCollection } from './resource-of.ts'
import { type OurTaints, planTaints, planUntaint, printTaint, type TaintPlan } from './taints.ts'
import { taintsOf, undo } from './undo.ts'

const NODES = collectionPath('v1', 'nodes')
/** Another writer may be at the object all the time; each time it is decided anew. */
const ATTEMPTS = 50
/** Put back after the scenario, a taint of this kind might tell what is long over. */
const CONDITION_PREFIX = 'node.kubernetes.io/'
/** Between writes that a busy or broken API did not answer. */
const BASE_DELAY_MS = 50
const MAX_DELAY_MS = 2_000

/** The right to change the cluster, for as long as it is held. */
export interface Right {
  /** Throws when it is lost. */
  assertHeld(): void
  /** Aborts when it is lost. */
  readonly signal: AbortSignal
}

export interface ChangesSite {
  readonly kube: KubeClient
  readonly holder: Holder
  readonly scenario: string
  /** What every object that is made carries. */
  readonly labels: Readonly<Record<string, string>>
  readonly limits: Limits
  readonly signal: AbortSignal
  /** Absent where nodes are somebody else's to switch. */
  readonly nodes?: NodeSwitch | undefined
  /** Counts the entries of this worker. */
  readonly nextSequence: () => number
  /** Says whether a change may be made now, and by which right. Throws NotAllowedError. */
  readonly permit: () => Right
}

/**
 * All that a scenario may do to nodes and cluster-scoped objects. Each change is asked of the guard, journalled in the
 * cluster, and then written, on the very object and version that was read; `undo` takes all of them back. Changes are
 * made one after another, however they are called.
 */
export class ClusterChanges {
  readonly #site: ChangesSite
  readonly #journal: Journal
  /** Open entries, in the order in which they were begun. */
  readonly #open: Recorded[] = []
  #last: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(site: ChangesSite) {
    this.#site = site
    this.#journal = new Journal(site.kube)
  }

  /** Adds taints to a node; one of the same key and effect is replaced until the end of the scenario. */
  taint(node: string, taints: readonly Taint[]): Promise<void> {
    return this.#changeTaints(node, (now, ours) => planTaints(now, ours, taints))
  }

  /** Removes taints from a node, whosever they are, until the end of the scenario: each by `key` or `key:effect`. */
  untaint(node: string, keys: readonly string[]): Promise<void> {
    return this.#changeTaints(node, (now, ours) => {
      const plan = planUntaint(now, ours, keys)
      const own = plan.pending.removed.find(({ key }) => key.startsWith(CONDITION_PREFIX))
      if (own)
        throw new NotAllowedError(
          `taint ${printTaint(own)} tells how node ${node} is: the cluster alone removes it`,
        )
      return plan
    })
  }

  /** Sets labels of a node; null removes one. */
  label(node: string, labels: Readonly<Record<string, string | null>>): Promise<void> {
    return this.patch(objectPath(NODES, node), { metadata: { labels } })
  }

  /** Nothing new is put on the node. A cordon that was there before is nobody's to undo. */
  cordon(node: string): Promise<void> {
    return this.patch(objectPath(NODES, node), { spec: { unschedulable: true } })
  }

  uncordon(node: string): Promise<void> {
    return this.patch(objectPath(NODES, node), { spec: { unschedulable: null } })
  }

  /**
   * Makes a cluster-scoped object that carries the scenario's labels and goes with the scenario; answers it as it was made.
   * Fails where there is one of this name.
   */
  create<T extends KubernetesObject>(object: T): Promise<T> {
    return this.#inTurn((right) => this.#create(object, right))
  }

  /** Merges into a cluster-scoped object that is there and marked for tests, or made by this run. */
  patch(path: string, mergePatch: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#inTurn(async (right) => {
      assertClusterScoped(path)
      assertFieldsAllowed(mergePatch)
      await this.#rewrite(path, 'fields', right, (object, known) => {
        const journalled = known?.kind === 'fields' ? known.fields : []
        const { changes, pending, settled } = planFields(withoutFalseCordon(object), journalled, mergePatch)
        return {
          patch: changes ? mergePatch : undefined,
          pending: { kind: 'fields', fields: pending },
          settled: (written) => ({ kind: 'fields', fields: asWritten(withoutFalseCordon(written), settled) }),
        }
      })
    })
  }

  /** The kubelet stops and what runs runs on, until startKubelet or the end of the scenario. */
  stopKubelet(node: string): Promise<void> {
    return this.#operate(node, 'stop-kubelet', 'stopKubelet')
  }

  /** When it is Ready is for the caller to see. */
  startKubelet(node: string): Promise<void> {
    return this.#operate(node, undefined, 'startKubelet')
  }

  /** The node is off, until bringBack or the end of the scenario. */
  kill(node: string): Promise<void> {
    return this.#operate(node, 'kill', 'kill')
  }

  /** When it is Ready is for the caller to see. */
  bringBack(node: string): Promise<void> {
    return this.#operate(node, undefined, 'bringBack')
  }

  /** What is still to be undone, each in words. */
  get pending(): readonly string[] {
    return this.#open.map(({ entry }) => describeChange(entry))
  }

  /** Whether anything is still to be undone. */
  get isClean(): boolean {
    return this.#open.length === 0
  }

  /**
   * Takes back whatever was changed, the last first, each apart: what fails keeps its entry and is thrown at the end, after
   * all the others. Answers what was left alone, in words. Where the right was lost meanwhile, another may have done it
   * already: then only what the journal still has is undone.
   */
  async undo({
    right,
    signal,
    regained = false,
  }: {
    readonly right: Right
    readonly signal: AbortSignal
    readonly regained?: boolean
  }): Promise<readonly string[]> {
    this.#isOver = true
    await within(signal, this.#last)
    const { kube, limits, nodes } = this.#site
    const waits = { goneWithinMs: limits.step, readyWithinMs: limits.step }
    const site = { kube, signal, ...waits, nodes, own: true, assertHeld: () => right.assertHeld() }
    const there = regained ? await this.#journal.list(signal) : undefined
    const failures: unknown[] = []
    const left: string[] = []
    for (const recorded of this.#open.toReversed()) {
      try {
        if (there === undefined || there.entries.some(({ name }) => name === recorded.name))
          left.push(...(await undo(recorded, site)).left)
        await this.#close(recorded, signal)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length === 1) throw failures[0]
    if (failures.length) throw new AggregateError(failures, failures.map(messageOf).join('\n'))
    return left
  }

  #changeTaints(node: string, plan: (now: readonly Taint[], ours: OurTaints) => TaintPlan): Promise<void> {
    return this.#inTurn(async (right) => {
      await this.#rewrite(objectPath(NODES, node), 'taints', right, (object, known) => {
        const ours = known?.kind === 'taints' ? known : { added: [], removed: [] }
        const { next, pending, settled } = plan(taintsOf(object), ours)
        return {
          patch: next && { spec: { taints: next.length ? next : null } },
          pending: { kind: 'taints', ...pending },
          settled: () => ({ kind: 'taints', ...settled }),
        }
      })
    })
  }

  /** Read, decide, journal, write, in this order; on a conflict or a lost answer all of it again. */
  async #rewrite(
    path: string,
    kind: Change['kind'],
    right: Right,
    decide: (object: KubernetesObject, known: Change | undefined) => Decision,
  ): Promise<void> {
    const { kube, holder } = this.#site
    const signal = this.#signal(right)
    const backOff = new BackOff(BASE_DELAY_MS, MAX_DELAY_MS)
    let failure: unknown
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const object = await persist(signal, () => kube.get(path, signal))
      assertOurs(object, holder.run)
      const target = targetOf(path, object)
      const known = this.#find(target, kind)
      const { patch, pending, settled } = decide(object, known?.entry.change)
      if (!patch) {
        if (known) await this.#settle(known, settled(object), signal)
        return
      }
      const recorded = await this.#record(known, target, pending, signal)
      right.assertHeld()
      const { uid, resourceVersion } = object.metadata ?? {}
      const metadata = { ...(patch.metadata as object | undefined), uid, resourceVersion }
      try {
        const written = await kube.patch(path, { ...patch, metadata }, 'merge', signal)
        await this.#settle(recorded, settled(written), signal)
        return
      } catch (error) {
        // It did not take effect: what was journalled for it would be undone for nothing.
        if (isRefusal(error)) await this.#settle(recorded, known?.entry.change ?? NOTHING, signal)
        signal.throwIfAborted()
        // Whether a lost write took effect, the next read shows.
        if (!isConflict(error) && !isPassing(error)) throw error
        if (isPassing(error)) await backOff.wait(backOff.next(), signal)
        failure = error
      }
    }
    throw new Error(`${path} could not be changed at ${ATTEMPTS} attempts: ${messageOf(failure)}`, {
      cause: failure,
    })
  }

  async #create<T extends KubernetesObject>(object: T, right: Right): Promise<T> {
    const { kube, labels } = this.#site
    const signal = this.#signal(right)
    const collection = await clusterScopedCollection(kube, object, signal)
    const { name, labels: own } = object.metadata ?? {}
    if (!name)
      throw new NotAllowedError('what is made for a scenario must be named, so that it can be journalled')
    // Raw: a name may have a colon, and is refused below where it could mislead.
    const target = { path: `${collection}/${name}`, kind: object.kind ?? '', name, uid: '' }
    assertClusterScoped(target.path)
    const labelled = { ...object, metadata: { ...object.metadata, labels: { ...own, ...labels } } }
    const recorded = await this.#record(undefined, target, { kind: 'created' }, signal)
    right.assertHeld()
    try {
      return await kube.create<T>(collection, labelled, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (isPassing(error)) return await this.#lookUp<T>(target.path, collection, labelled, signal)
      // Refused: nothing was made, and one of this name is somebody else's.
      await this.#close(recorded, signal)
      throw error
    }
  }

  /** After a lost answer: what is there with our labels was made; otherwise it is tried again. */
  #lookUp<T extends KubernetesObject>(
    path: string,
    collection: string,
    object: KubernetesObject,
    signal: AbortSignal,
  ): Promise<T> {
    return persist(signal, async () => {
      try {
        return await this.#site.kube.create<T>(collection, object, signal)
      } catch (error) {
        if (!isAlreadyExists(error)) throw error
        const found = await this.#site.kube.get<T>(path, signal)
        const { labels } = this.#site
        if (Object.entries(labels).every(([key, value]) => found.metadata?.labels?.[key] === value))
          return found
        throw error
      }
    })
  }

  #operate(
    node: string,
    journalled: 'stop-kubelet' | 'kill' | undefined,
    operation: keyof NodeSwitch,
  ): Promise<void> {
    return this.#inTurn(async (right) => {
      const { kube, nodes, holder } = this.#site
      if (!nodes) throw new NotAllowedError('nodes of this cluster are not ours to switch')
      const signal = this.#signal(right)
      const path = objectPath(NODES, node)
      const object = await persist(signal, () => kube.get(path, signal))
      assertOurs(object, holder.run)
      const target = targetOf(path, object)
      const isKnown = this.#open.some(
        ({ entry: { target: one, change } }) =>
          one.path === path && change.kind === 'node-operation' && change.operation === journalled,
      )
      if (journalled && !isKnown)
        await this.#record(undefined, target, { kind: 'node-operation', operation: journalled }, signal)
      right.assertHeld()
      await nodes[operation](node, signal)
    })
  }

  /** Entries of one kind for one very object are one. */
  #find({ path, uid }: Target, kind: Change['kind']): Recorded | undefined {
    return this.#open.find(
      ({ entry: { target, change } }) => target.path === path && target.uid === uid && change.kind === kind,
    )
  }

  async #record(
    known: Recorded | undefined,
    target: Target,
    change: Change,
    signal: AbortSignal,
  ): Promise<Recorded> {
    const { holder, scenario, nextSequence } = this.#site
    if (known && JSON.stringify(known.entry.change) === JSON.stringify(change)) return known
    const at = new Date().toISOString()
    const entry = { version: 1, run: holder.run, scenario, at, holder, target, change } as const
    if (known) {
      const replaced = { name: known.name, entry }
      // Known before it is written: should the answer be lost, both are ours to undo.
      this.#replace(known, replaced)
      return await this.#journal.replace(known, entry, signal)
    }
    const recorded = { name: entryName(holder.run, holder.worker, nextSequence()), entry }
    this.#open.push(recorded)
    try {
      return await this.#journal.add(recorded.name, entry, signal)
    } catch (error) {
      // Surely not there: nothing is done, and nothing is to be undone.
      if (isRefusal(error)) this.#forget(recorded)
      throw error
    }
  }

  /** What is left to undo is all that the entry tells from now on; of nothing there is no entry. */
  async #settle(recorded: Recorded, change: Change, signal: AbortSignal): Promise<void> {
    if (isNothing(change)) return this.#close(recorded, signal)
    if (JSON.stringify(recorded.entry.change) === JSON.stringify(change)) return
    const entry = { ...recorded.entry, change }
    await this.#journal.replace(recorded, entry, signal)
    this.#replace(recorded, { name: recorded.name, entry })
  }

  async #close(recorded: Recorded, signal: AbortSignal): Promise<void> {
    await this.#journal.close(recorded.name, signal)
    this.#forget(recorded)
  }

  #forget({ name }: Recorded): void {
    const index = this.#open.findIndex((one) => one.name === name)
    if (index >= 0) this.#open.splice(index, 1)
  }

  #replace({ name }: Recorded, by: Recorded): void {
    const index = this.#open.findIndex((one) => one.name === name)
    if (index >= 0) this.#open[index] = by
  }

  #inTurn<T>(change: (right: Right) => Promise<T>): Promise<T> {
    const turn = async (): Promise<T> => {
      if (this.#isOver) throw new NotAllowedError('the scenario is over: it changes nothing any more')
      const right = this.#site.permit()
      right.assertHeld()
      return change(right)
    }
    const result = this.#last.then(turn, turn)
    this.#last = result.catch(() => undefined)
    return result
  }

  #signal(right: Right): AbortSignal {
    return AbortSignal.any([this.#site.signal, right.signal])
  }
}

interface Decision {
  /** Undefined where it is so already. */
  readonly patch: Record<string, unknown> | undefined
  readonly pending: Change
  readonly settled: (written: KubernetesObject) => Change
}

const NOTHING: Change = { kind: 'fields', fields: [] }

function isNothing(change: Change): boolean {
  if (change.kind === 'taints') return change.added.length + change.removed.length === 0
  return change.kind === 'fields' && change.fields.length === 0
}

function targetOf(path: string, { kind = '', metadata }: KubernetesObject): Target {
  return { path, kind, name: metadata?.name ?? '', uid: metadata?.uid ?? '' }
}

/** An absent cordon and one that is false are the same; a server may write either. */
function withoutFalseCordon(object: KubernetesObject): KubernetesObject {
  const spec = object.spec as Record<string, unknown> | undefined
  if (spec?.unschedulable !== false) return object
  const { unschedulable: _, ...rest } = spec
  return { ...object, spec: rest }
}

/** Waits for what is under way, which may have fallen asleep. */
async function within(signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const giveUp = (): void => resolve()
  signal.addEventListener('abort', giveUp, { once: true })
  await Promise.race([work.catch(() => undefined), promise])
  signal.removeEventListener('abort', giveUp)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
