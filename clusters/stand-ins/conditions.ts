import { now } from './time.ts'

export interface Condition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason: string
  message: string
  lastTransitionTime?: string
  [field: string]: unknown
}

/** A condition whose lastTransitionTime is that of the earlier one unless the status differs. */
export function transition(earlier: readonly Condition[] | undefined, wanted: Condition): Condition {
  const before = earlier?.find((condition) => condition.type === wanted.type)
  const since = before?.status === wanted.status ? before.lastTransitionTime : undefined
  return { ...wanted, lastTransitionTime: since ?? now() }
}

/** Whether a condition says the same as before, times aside. */
export function says(earlier: readonly Condition[] | undefined, wanted: Condition): boolean {
  const before = earlier?.find((condition) => condition.type === wanted.type)
  return (
    before?.status === wanted.status && before.reason === wanted.reason && before.message === wanted.message
  )
}
