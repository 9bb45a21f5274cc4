import type { Moment } from '../pods/pod-record.ts'

/** When a pod was asked to end and how long it was given, as the cluster said first. */
export interface AskedToEnd {
  /** Milliseconds since 1970; the API tells whole seconds. */
  readonly at: number
  readonly graceSeconds: number
}

/** Undefined where it never was. */
export function askedToEnd(moments: readonly Moment[]): AskedToEnd | undefined {
  const leaving = moments.find(({ pod }) => pod.metadata?.deletionTimestamp)?.pod.metadata
  if (!leaving?.deletionTimestamp) return undefined
  // The time that the API sets is when the grace is over.
  const graceSeconds = Number(leaving.deletionGracePeriodSeconds ?? 0)
  return { at: Date.parse(leaving.deletionTimestamp) - graceSeconds * 1_000, graceSeconds }
}
