import { inspect } from 'node:util'
import type { OutcomeError } from '../../src/contract/implementation.ts'
import type { InterferenceProxy } from '../interference/proxy.ts'
import type { Performed } from '../outcomes.ts'
import { podEvidence } from '../pods/pod-evidence.ts'
import { knownPodsOf } from '../pods/pods.ts'
import { PoolConfigMap } from '../pool-config-map.ts'
import { ERROR_MEDIA_TYPE } from '../report/media-types.ts'
import type { PoolwrightWorld } from '../world.ts'
import { configMapDiff } from './config-map-diff.ts'
import { eventsTable } from './events.ts'
import { operationsTable } from './operations-table.ts'
import { redact } from './redact.ts'
import { wireTable } from './wire-table.ts'

/** What evidence is taken from: a scenario's world, or as much of it as a test needs. */
type EvidenceSource = Pick<PoolwrightWorld, 'attach' | 'before' | 'kube' | 'outcomes' | 'site'> & {
  readonly proxy: Pick<InterferenceProxy, 'failures' | 'journal'>
}

/** A reader who needs more than this has the run's own log. */
const LARGEST = 60_000

/**
 * Attaches what a sceptical reader would ask for about a scenario's pool and pods, and more of it when the scenario
 * has failed. Never throws: evidence is no verdict.
 */
export async function attachEvidence(
  world: EvidenceSource,
  signal: AbortSignal,
  failed = false,
): Promise<void> {
  await collect(world, signal, failed).catch((error: Error) => {
    attachText(world, 'evidence that could not be had.txt', error.stack ?? error.message)
  })
}

/** Attaches text under a name that a reader sees; secrets are hidden and length is bounded. */
function attachText(world: EvidenceSource, fileName: string, text: string): void {
  // Hidden first: half a secret, cut off by the limit, would no longer be known for one.
  const hidden = redact(text)
  const shown =
    hidden.length > LARGEST
      ? `${hidden.slice(0, LARGEST)}\n… cut, ${hidden.length} characters in all`
      : hidden
  const mediaType = fileName.endsWith('.json') ? 'application/json' : 'text/plain'
  world.attach(shown, { mediaType, fileName })
}

async function collect(world: EvidenceSource, signal: AbortSignal, failed: boolean): Promise<void> {
  const performed = world.outcomes.all
  if (performed.length) {
    const now = new PoolConfigMap(world.kube, world.site, signal)
    const after = await now.read().catch(() => undefined)
    attachText(world, 'pool before and after.diff', configMapDiff(world.before, after))
    attachText(world, 'operations.txt', operationsTable(performed))
    attachText(world, 'outcomes.json', JSON.stringify(performed.map(told), undefined, 1))
    attachText(world, 'structured log.jsonl', logLines(world))
  }
  if (world.proxy.journal.exchanges.length)
    attachText(world, 'wire.txt', wireTable(world.proxy.journal.exchanges))
  if (world.proxy.failures.length)
    attachText(
      world,
      'interference that failed.txt',
      world.proxy.failures.map((failure) => inspect(failure)).join('\n'),
    )
  const pods = knownPodsOf(world)
  for (const { fileName, text } of pods ? await podEvidence(pods, failed, signal) : [])
    attachText(world, fileName, text)
  const events = await eventsTable(world.kube, world.site.namespace, signal)
  if (events) attachText(world, 'events.txt', events)
  attachErrors(world)
}

/** What the implementation answered, without its log, which is attached by itself. */
function told({ operation, request, outcome }: Performed): object {
  const { log: _, ...rest } = outcome
  return { operation, request, outcome: shortened(rest) }
}

const LONGEST_LIST = 20

/** Long lists (5,000 entries) are told by their beginning. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const begin = value.slice(0, LONGEST_LIST).map(shortened)
    return value.length > LONGEST_LIST ? [...begin, `… ${value.length} in all`] : begin
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shortened(field)]))
}

function logLines(world: EvidenceSource): string {
  return world.outcomes.all
    .flatMap(({ outcome }) => outcome.log)
    .map((record) => JSON.stringify(record))
    .join('\n')
}

/** For the machine that checks docs/error-scenarios.md against the run. */
function attachErrors(world: EvidenceSource): void {
  const errors = world.outcomes.all.flatMap(({ outcome }) => errorsOf(outcome))
  if (!errors.length) return
  const body = errors.map(({ code, message }) => ({ code, message: redact(message) }))
  world.attach(JSON.stringify(body), { mediaType: ERROR_MEDIA_TYPE, fileName: 'errors.json' })
}

function errorsOf(outcome: { error?: OutcomeError; fallbackReason?: OutcomeError }): OutcomeError[] {
  return [outcome.error, outcome.fallbackReason].filter((error) => error !== undefined)
}
