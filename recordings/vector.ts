import type { Json, JsonObject, LosslessNumber } from './exact-json.ts'

/** One recorded exchange of the `api` family, as vectors/README.md describes it. Read with exact numbers. */
export interface Vector {
  readonly name: string
  readonly kubernetes: string
  readonly server?: ServerSettings
  readonly namespace: string | null
  readonly namespaceMetadata?: JsonObject
  readonly steps: readonly Step[]
}

/** Settings other than the default ones that a vector was recorded with. */
export interface ServerSettings {
  readonly anonymousAuth?: boolean
  readonly [setting: string]: Json | undefined
}

export type Step = RequestStep | ParallelStep | SleepStep | CompactStep

export interface VectorRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  /** Absent: the administrator; `none`: nobody; else a bearer token. */
  readonly auth?: string
}

export interface RequestStep extends VectorRequest {
  readonly capture?: Readonly<Record<string, string>>
  readonly until?: readonly Condition[]
  readonly timeoutSeconds?: LosslessNumber
  readonly pick?: readonly string[]
  readonly record?: boolean
  readonly watch?: boolean
  /** The recorder's limit for a watch. */
  readonly seconds?: LosslessNumber
  readonly keepBookmarks?: boolean
  readonly during?: readonly VectorRequest[]
  readonly expect: ExpectedAnswer
}

export interface ExpectedAnswer {
  readonly status: LosslessNumber
  readonly headers?: Readonly<Record<string, Json>>
  readonly body?: Json
  readonly events?: readonly Json[]
}

export interface Condition {
  readonly status?: LosslessNumber
  readonly path?: string
  readonly equals?: Json
  readonly length?: LosslessNumber
  readonly exists?: boolean
  readonly atLeast?: LosslessNumber
}

export interface ParallelStep {
  readonly parallel: readonly VectorRequest[]
  readonly expect: {
    readonly statusCounts: Readonly<Record<string, LosslessNumber>>
    /** One body for each failing status. */
    readonly errorBodies?: Readonly<Record<string, Json>>
  }
}

export interface SleepStep {
  readonly sleep: LosslessNumber
}

export interface CompactStep {
  readonly compact: true
  readonly note?: string
}

/** Every request a step makes, in the order written. */
export function requestsOf(step: Step): readonly VectorRequest[] {
  if ('parallel' in step) return step.parallel
  if ('method' in step) return [step, ...(step.during ?? [])]
  return []
}
