import { type PodKey, showKey } from './drained-pod.ts'

/** A pod, and why it is as it is, in words. */
export interface PodReason {
  readonly pod: PodKey
  readonly why: string
}

/** Some pods may not be evicted, so none was; the node stays cordoned until the drain is undone. */
export class DrainRefusedError extends Error {
  readonly refused: readonly PodReason[]

  constructor(node: string, refused: readonly PodReason[]) {
    super(`node ${node} is not drained, and nothing was evicted: ${list(refused)}`)
    this.name = 'DrainRefusedError'
    this.refused = refused
  }
}

/** Some pods are still there: at the deadline, or because the API refused for good to evict them. */
export class DrainIncompleteError extends Error {
  readonly remaining: readonly PodReason[]

  constructor(node: string, why: string, remaining: readonly PodReason[]) {
    super(`node ${node} is not drained, ${why}: ${list(remaining)}`)
    this.name = 'DrainIncompleteError'
    this.remaining = remaining
  }
}

function list(reasons: readonly PodReason[]): string {
  return reasons.map(({ pod, why }) => `pod ${showKey(pod)} (${why})`).join(', ')
}
