import type { Json } from '../exact-json.ts'

/** What the server answered to one request: the body parsed where it is JSON, else its text. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

/** Header names in lower case; every value, in order. */
export type Headers = Readonly<Record<string, readonly string[]>>

/** A watch: its events when it was granted, else the refusal as `body`. */
export interface WatchAnswer extends Answer {
  readonly events?: readonly Json[]
}

/** What became of one step. A vector's transcript has one for each step until one fails. */
export type StepResult =
  | { readonly kind: 'answer'; readonly answer: WatchAnswer }
  | { readonly kind: 'parallel'; readonly answers: readonly Answer[] }
  | { readonly kind: 'nothing' }
  /** No answer, or not the one that was waited for: later steps would mean nothing. */
  | { readonly kind: 'failed'; readonly expected: string; readonly found: string }
