import type { LockStrategy } from '../src/contract/pool.ts'

export const MODES = ['baseline', 'resource-version', 'entry'] as const satisfies readonly (
  | 'baseline'
  | LockStrategy
)[]
export type Mode = (typeof MODES)[number]

/** What a process of the benchmark is told to do. */
export interface Task {
  readonly mode: Mode
  readonly kubeconfig: string
  readonly namespace: string
  readonly configMap: string
  readonly testIds: readonly string[]
  /** Milliseconds from the start. */
  readonly deadlineMs: number
}

/** Requests sent, counted by whoever sends them. */
export interface Counts {
  reads: number
  writes: number
}

/** One allocator's story; it failed where there is no address. */
export interface Story extends Counts {
  readonly testId: string
  readonly address?: string
  readonly failure?: string
  readonly milliseconds: number
}
