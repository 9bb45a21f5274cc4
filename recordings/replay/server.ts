import type { ServerSettings } from '../vector.ts'
import type { Target } from './target.ts'

/** An API server to replay against. */
export interface Server {
  readonly target: Target
  /** Makes the server forget its history up to now; absent where nobody can ask it to. */
  readonly compact?: () => Promise<void>
  /** It is not ours: what vectors leave behind must be gone before we are. */
  readonly borrowed: boolean
  stop(): Promise<void>
}

/** Starts, or finds, the server of these settings. */
export interface ServerSource {
  readonly name: string
  start(settings: ServerSettings, signal: AbortSignal): Promise<Server>
}
