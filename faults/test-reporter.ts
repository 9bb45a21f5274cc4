import type { TestEnd } from './named-tests.ts'

/** What Node's runner tells of a test that ended, as far as it is used here. */
interface RunnerEvent {
  readonly type: string
  readonly data: {
    readonly name: string
    readonly skip?: string | boolean
    readonly details?: { readonly type?: 'suite' | 'test'; readonly error?: TestError }
  }
}

interface TestError extends Error {
  readonly failureType?: string
}

/** A reporter for Node's runner: each test that ended, as one line of JSON. */
export default async function* report(events: AsyncIterable<RunnerEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events)
    if ((type === 'test:pass' || type === 'test:fail') && data.details?.type !== 'suite')
      yield `${JSON.stringify(endOf(data))}\n`
}

function endOf({ name, skip, details: { error } = {} }: RunnerEvent['data']): TestEnd {
  if (skip !== undefined) return { name, outcome: 'unfinished', message: `it was skipped: ${skip}` }
  if (!error) return { name, outcome: 'passed', message: '' }
  const { cause } = error
  const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause ?? error.message)
  // A hook that failed, a limit, the end of a suite around it: the test itself has said nothing.
  const isOwn = error.failureType === 'testCodeFailure'
  return isOwn
    ? { name, outcome: 'failed', message }
    : { name, outcome: 'unfinished', message: `${error.failureType ?? 'failure'}: ${message}` }
}
