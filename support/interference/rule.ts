import type { Exchange } from './journal.ts'
import type { RequestInfo, Verb } from './request-info.ts'

/** What happens to a request on its way. Only `answer` and `reset` keep it from the API. */
export type Action =
  /** Another party acts first, after the client decided and before its request arrives; or the request just waits. */
  | { readonly kind: 'before'; readonly run: (request: Exchange) => Promise<unknown> }
  /** The request takes effect, but the connection breaks before its answer arrives. */
  | { readonly kind: 'drop-answer' }
  /** The request takes effect, and its answer never comes: the client has to give up. */
  | { readonly kind: 'keep-answer'; readonly landed: () => void }
  /**
   * The request gets stuck: its sender has no answer, and its connection breaks (at the latest when `sent` resolves). It
   * takes effect once `until` resolves, if the API then still takes it; `arrived` is told the API's code, or why there
   * is none.
   */
  | {
      readonly kind: 'late'
      readonly sent: () => Promise<unknown>
      readonly until: Promise<unknown>
      readonly arrived: (end: number | Error) => void
    }
  /** The API is played: this Status is the answer, and nothing takes effect. */
  | { readonly kind: 'answer'; readonly code: number; readonly retryAfterSeconds?: number }
  /** The connection breaks before the request arrives. */
  | { readonly kind: 'reset' }

/** Which of the requests that match, counted from when the rule is made. */
export type Occurrences =
  | 'always'
  | { readonly first: number }
  /** Those after the first so many: all of them, or a count. */
  | { readonly after: number; readonly count?: number }

export interface Rule {
  /** In a reader's words; the journal shows it beside each exchange it touched. */
  readonly name: string
  readonly verbs: readonly Verb[]
  readonly resource: string
  readonly object?: string | RegExp
  readonly occurrences: Occurrences
  readonly action: Action
}

export const WRITES: readonly Verb[] = ['create', 'update', 'patch', 'delete', 'deletecollection']

/** A rule with its count of matching requests. */
export class ActiveRule {
  readonly rule: Rule
  #matched = 0

  constructor(rule: Rule) {
    this.rule = rule
  }

  /** Whether the rule touches this request; counts it when it matches. */
  takes(request: RequestInfo): boolean {
    if (!matches(this.rule, request)) return false
    this.#matched += 1
    const { occurrences } = this.rule
    if (occurrences === 'always') return true
    if ('first' in occurrences) return this.#matched <= occurrences.first
    const { after, count = Number.POSITIVE_INFINITY } = occurrences
    return this.#matched > after && this.#matched <= after + count
  }
}

function matches(rule: Rule, request: RequestInfo): boolean {
  if (rule.resource !== request.resource || !rule.verbs.includes(request.verb)) return false
  if (rule.object === undefined) return true
  const name = request.name ?? ''
  return typeof rule.object === 'string' ? rule.object === name : rule.object.test(name)
}
