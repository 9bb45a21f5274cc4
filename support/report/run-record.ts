import { type Envelope, type Pickle, type TestCaseStarted, TimeConversion } from '@cucumber/messages'
import { Query } from '@cucumber/query'
import { readAttempt } from './attempt.ts'
import type { RunFailure, RunRecord, Scenario } from './model.ts'

/** Joins a message stream into scenarios with all their tries; Cucumber's own query leaves the retried ones out. */
export function readRunRecord(envelopes: readonly Envelope[]): RunRecord {
  const query = new Query()
  const tries = new Map<string, TestCaseStarted[]>()
  const selected = new Set<string>()
  for (const envelope of envelopes) {
    query.update(envelope)
    if (envelope.testCase) selected.add(envelope.testCase.pickleId)
    if (envelope.testCaseStarted) remember(tries, query, envelope.testCaseStarted)
  }
  // A run that broke before it planned anything has excluded nothing either.
  const isSelected = ({ id }: Pickle) => selected.size === 0 || selected.has(id)
  const scenarios = query
    .findAllPickles()
    .map((pickle, index) => readScenario(query, pickle, index, isSelected(pickle), tries.get(pickle.id)))
  const endedAt = lastTimestamp(envelopes)
  const finished = query.findTestRunFinished() !== undefined
  return { scenarios, failures: readFailures(query, envelopes), finished, ...(endedAt && { endedAt }) }
}

function remember(tries: Map<string, TestCaseStarted[]>, query: Query, started: TestCaseStarted): void {
  const pickle = query.findPickleBy(started)
  if (pickle) tries.set(pickle.id, [...(tries.get(pickle.id) ?? []), started])
}

function readScenario(
  query: Query,
  pickle: Pickle,
  index: number,
  selected: boolean,
  tries: readonly TestCaseStarted[] = [],
): Scenario {
  const { feature, rule, examples, example } = query.findLineageBy(pickle) ?? {}
  const columns = examples?.tableHeader?.cells.map((cell) => cell.value) ?? []
  const values = example?.cells.map((cell) => cell.value) ?? []
  const attempts = [...tries].sort((a, b) => a.attempt - b.attempt)
  return {
    id: `scenario-${index + 1}`,
    name: pickle.name,
    feature: feature?.name ?? pickle.uri,
    ...(rule && { rule: rule.name }),
    uri: pickle.uri,
    line: query.findLocationOf(pickle)?.line ?? 0,
    tags: pickle.tags.map((tag) => tag.name),
    example: Object.fromEntries(columns.map((column, at) => [column, values[at] ?? ''])),
    stepCount: pickle.steps.length,
    selected,
    attempts: attempts.map((started) => readAttempt(query, started)),
  }
}

function readFailures(query: Query, envelopes: readonly Envelope[]): RunFailure[] {
  const unparsed = envelopes.flatMap(({ parseError }) =>
    parseError ? [{ where: parseError.source.uri ?? 'a feature file', message: parseError.message }] : [],
  )
  const hooks = query.findAllTestRunHookFinished().flatMap((finished) => {
    if (finished.result.status === 'PASSED' || finished.result.status === 'SKIPPED') return []
    const hook = query.findHookBy(finished)
    const kind = hook?.type === 'AFTER_TEST_RUN' ? 'after all scenarios' : 'before all scenarios'
    const where = hook?.name ? `hook ${kind}: ${hook.name}` : `hook ${kind}`
    return [{ where, message: finished.result.message ?? 'failed without a message' }]
  })
  const end = query.findTestRunFinished()
  const said = end?.exception?.message ?? end?.message
  const own = said && hooks.length === 0 ? [{ where: 'the run as a whole', message: said }] : []
  return [...unparsed, ...hooks, ...own]
}

function lastTimestamp(envelopes: readonly Envelope[]): string | undefined {
  const times = envelopes.flatMap((envelope) => {
    const said = envelope.testRunFinished ?? envelope.testCaseFinished ?? envelope.testStepFinished
    const timestamp =
      said?.timestamp ?? envelope.testCaseStarted?.timestamp ?? envelope.testRunStarted?.timestamp
    return timestamp ? [TimeConversion.timestampToMillisecondsSinceEpoch(timestamp)] : []
  })
  const latest = times.reduce((later, time) => Math.max(later, time), 0)
  return latest > 0 ? new Date(latest).toISOString() : undefined
}
