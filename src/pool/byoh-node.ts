import type { KubernetesObject } from '../contract/kubernetes.ts'
import { BYOH_LABEL } from '../contract/names.ts'
import { collectionPath } from '../kube/paths.ts'
import { WaitLimitError, waitFor } from '../kube/wait-for.ts'
import { type ByohContext, untilCancelled } from './byoh-context.ts'

/** What setBYOH and readiness look at of a Node. */
export interface Node extends KubernetesObject {
  status?: {
    addresses?: { type?: string; address?: string }[]
    conditions?: {
      type?: string
      status?: string
      reason?: string
      message?: string
      lastTransitionTime?: string
    }[]
  }
}

const NODES = collectionPath('v1', 'nodes')

/** Whether the Node says that this address is one of its own. */
export function hasAddress({ status }: Node, address: string): boolean {
  return status?.addresses?.some((own) => own.address?.toLowerCase() === address.toLowerCase()) ?? false
}

/** Whether the Node is Ready and there to stay. */
export function isReady({ metadata, status }: Node): boolean {
  const ready = status?.conditions?.some(
    (condition) => condition.type === 'Ready' && condition.status === 'True',
  )
  return !metadata?.deletionTimestamp && (ready ?? false)
}

/** What keeps waits apart from their failures: a limit reached is an answer, with the last state seen. */
export type Reached<T> = { readonly value: T } | { readonly lastSeen: string }

/** Waits until the operator has made the host at this address a Ready Node; answers the Node's name. */
export async function waitUntilConfigured(
  context: ByohContext,
  address: string,
  limitMs: number,
): Promise<Reached<string>> {
  const what = `a Ready Node at ${address}`
  return reach(context, what, limitMs, address, (nodes) => {
    const node = nodes.find(
      (one) => hasAddress(one, address) && one.metadata?.labels?.[BYOH_LABEL] === 'true',
    )
    return node && isReady(node) ? node.metadata?.name : undefined
  })
}

/** Waits until some Node has this address: the operator has begun with the host, and only now can be seen to end. */
export async function waitUntilRegistered(
  context: ByohContext,
  address: string,
  limitMs: number,
): Promise<Reached<true>> {
  const what = `a Node at ${address}`
  return reach(context, what, limitMs, address, (nodes) => nodes.some((one) => hasAddress(one, address)))
}

/** Waits until no Node has this address any more: only then is the host no longer configured. */
export async function waitUntilDeconfigured(
  context: ByohContext,
  address: string,
  limitMs: number,
): Promise<Reached<true>> {
  const what = `no Node at ${address}`
  return reach(context, what, limitMs, address, (nodes) => !nodes.some((one) => hasAddress(one, address)))
}

/** Waits until the Node of this name is Ready. */
export async function waitUntilNodeReady(
  context: ByohContext,
  name: string,
  limitMs: number,
): Promise<Reached<Node>> {
  return reach(context, `Node ${name} to be Ready`, limitMs, name, (nodes) =>
    nodes.find((one) => one.metadata?.name === name && isReady(one)),
  )
}

/** Waits until the Node of this name is gone. */
export async function waitUntilNodeGone(
  context: ByohContext,
  name: string,
  limitMs: number,
): Promise<Reached<true>> {
  return reach(
    context,
    `Node ${name} to be gone`,
    limitMs,
    name,
    (nodes) => !nodes.some((one) => one.metadata?.name === name),
  )
}

async function reach<T>(
  context: ByohContext,
  what: string,
  limitMs: number,
  about: string,
  until: (nodes: readonly Node[]) => T | undefined | false,
): Promise<Reached<T>> {
  const { kube, signal } = context
  const show = (node: Node): string =>
    hasAddress(node, about) || node.metadata?.name === about ? describe(node) : ''
  return untilCancelled(context, `waiting for ${what}`, () =>
    waitFor<Node, T>(kube, { for: what, path: NODES, until, limitMs, signal, show }),
  ).then(
    (value) => ({ value }),
    (error: unknown) => {
      if (error instanceof WaitLimitError) return { lastSeen: error.lastSeen.trim() || 'no such Node' }
      throw error
    },
  )
}

/** A Node in one line, as far as readiness goes. */
function describe(node: Node): string {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')
  const state = ready
    ? `Ready ${ready.status} since ${ready.lastTransitionTime}`
    : 'without a Ready condition'
  const why = ready && ready.status !== 'True' ? ` (${ready.reason}: ${ready.message})` : ''
  return `Node ${node.metadata?.name} ${state}${why}`
}
