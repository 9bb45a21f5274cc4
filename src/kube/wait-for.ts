import type { KubernetesObject } from '../contract/kubernetes.ts'
import type { KubeClient } from './client.ts'
import { listWatch } from './list-watch.ts'

export interface Wait<T, R> {
  /** What is waited for, in words: "Node win-1 to be Ready". */
  readonly for: string
  /** The collection, `/api/v1/nodes`. */
  readonly path: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /**
   * Asked of the objects that match, after the list and after each change; the wait ends with the first answer
   * that is neither undefined, null nor false.
   */
  readonly until: (objects: readonly T[]) => R | undefined | null | false
  /** Milliseconds. */
  readonly limitMs: number
  readonly signal: AbortSignal
  /** How to show one object when the wait fails; by default its JSON, without Secret data. */
  readonly show?: (object: T) => string
}

/** A wait reached its limit; the message ends with the last state seen. */
export class WaitLimitError extends Error {
  /** The last state seen, in words. */
  readonly lastSeen: string

  constructor(what: string, limitMs: number, lastSeen: string, options?: { cause?: unknown }) {
    super(`waited ${limitMs} ms for ${what}; last seen: ${lastSeen}`, options)
    this.name = 'WaitLimitError'
    this.lastSeen = lastSeen
  }
}

/** Watches a collection until a predicate holds. Throws WaitLimitError at the limit, the signal's reason on abort. */
export async function waitFor<T extends KubernetesObject, R>(
  client: KubeClient,
  wait: Wait<T, R>,
): Promise<R> {
  wait.signal.throwIfAborted()
  const limit = AbortSignal.timeout(wait.limitMs)
  const known = new Map<string, T>()
  let listed = false
  let trouble: unknown
  const signal = AbortSignal.any([wait.signal, limit])
  const onTrouble = (error: unknown): void => {
    trouble = error
  }
  for await (const item of listWatch<T>(client, { ...wait, signal, onTrouble })) {
    if (item.type === 'BOOKMARK' || item.type === 'GAP') continue
    if (item.type === 'LISTED') {
      listed = true
      known.clear()
      for (const object of item.objects) known.set(key(object), object)
    } else if (item.type === 'DELETED') known.delete(key(item.object))
    else known.set(key(item.object), item.object)
    trouble = undefined
    const answer = wait.until([...known.values()])
    if (answer !== undefined && answer !== null && answer !== false) return answer
  }
  wait.signal.throwIfAborted()
  throw new WaitLimitError(wait.for, wait.limitMs, lastSeen(wait, listed, [...known.values()], trouble), {
    cause: trouble,
  })
}

const SHOWN_OBJECTS = 10
const SHOWN_LENGTH = 2_000

function lastSeen<T extends KubernetesObject, R>(
  wait: Wait<T, R>,
  listed: boolean,
  objects: readonly T[],
  trouble: unknown,
): string {
  const show = wait.show ?? showObject
  const shown = objects.slice(0, SHOWN_OBJECTS).map((object) => show(object).slice(0, SHOWN_LENGTH))
  if (objects.length > SHOWN_OBJECTS) shown.push(`and ${objects.length - SHOWN_OBJECTS} more`)
  const state = shown.length > 0 ? shown.join('\n') : `no object in ${wait.path}`
  const seen = listed ? state : `nothing, ${wait.path} could not be listed`
  return trouble instanceof Error ? `${seen} (then: ${trouble.message})` : seen
}

function showObject(object: KubernetesObject): string {
  const { managedFields: _, annotations, ...metadata } = object.metadata ?? {}
  // A Secret's annotations may hold all of it once more, as kubectl apply leaves it.
  if (object.kind === 'Secret') return JSON.stringify({ kind: object.kind, metadata, data: 'not shown' })
  return JSON.stringify({ ...object, metadata: { ...metadata, ...(annotations && { annotations }) } })
}

function key(object: KubernetesObject): string {
  return `${object.metadata?.namespace ?? ''}/${object.metadata?.name ?? ''}`
}
