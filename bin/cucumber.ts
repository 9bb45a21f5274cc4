/**
 * The process that runs Cucumber: a child of the command line, in a process group of its own. It reads the features
 * first and says how many scenarios it found, then waits for the clusters and runs. The command line tells it what to
 * run in its only argument, as JSON, and the rest over IPC.
 */
import { loadConfiguration, loadSources, runCucumber } from '@cucumber/cucumber/api'
import { UsageError } from '../src/contract/errors.ts'
import { POOL_CONFIG_MAP } from '../src/contract/names.ts'
import { runSignal } from '../support/abort.ts'
import { loadImplementation, proveImplementation } from '../support/implementation.ts'
import { readRunContext } from '../support/run-context.ts'
import type { RunEvent, RunMessage } from '../support/run-events.ts'
import { undoLimitMs } from '../support/safety/undo-limit.ts'
import type { CucumberRequest } from './run/cucumber-request.ts'
import { atScenarios } from './run/scenario-lines.ts'

/** How long hooks may take to clean up once nobody is left to insist on an end. */
const ORPHAN_LIMIT_MS = 30_000
/** How long another implementation may take to load, and to connect. */
const PROOF_LIMIT_MS = 60_000

// With the command line gone nobody reads what steps print; that must not end the clean-up.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
process.once('disconnect', () => setTimeout(() => process.exit(130), orphanLimitMs()).unref())

const request = JSON.parse(process.argv[2] ?? '') as CucumberRequest
const environment = { cwd: request.root }

await run().catch((error: unknown) => say({ type: 'refused', message: oneLine(error) }))
// Whatever a step left open must not keep the run from ending: every report is flushed by now.
process.exit(0)

async function run(): Promise<void> {
  const paths = await atScenarios(request.paths)
  const { runConfiguration } = await loadConfiguration(
    { file: request.configuration, provided: { ...request.provided, paths } },
    environment,
  )
  const { plan, errors } = await loadSources(runConfiguration.sources, environment)
  const [unreadable] = errors
  if (unreadable) throw new Error(`${unreadable.uri} can't be read: ${unreadable.message}`)
  const proof = request.unproven === undefined ? undefined : proofOf(request.unproven)
  await proof?.loaded
  const go = clustersAreUp()
  await say({ type: 'planned', scenarios: plan.length })
  if (plan.length === 0 || !(await go)) return
  await proof?.connects()
  const { success } = await runCucumber(runConfiguration, environment)
  await say({ type: 'finished', success })
}

/** A cluster that stays is put back as it was first. */
function orphanLimitMs(): number {
  try {
    return ORPHAN_LIMIT_MS + undoLimitMs(readRunContext().limits)
  } catch {
    // It ended before there was a cluster.
    return ORPHAN_LIMIT_MS
  }
}

/** What must hold of an implementation before any scenario asks it for anything. */
function proofOf(path: string) {
  const loaded = within(PROOF_LIMIT_MS, `${path} did not load`, loadImplementation(path))
  return {
    loaded,
    connects: async () => {
      const [kubeconfig = ''] = readRunContext().kubeconfigs
      using place = connectionFor(kubeconfig)
      const proven = proveImplementation(path, await loaded, place.connection)
      await within(PROOF_LIMIT_MS, `${path}: connect() did not resolve`, proven)
    },
  }
}

/** Its signal ends with the proof. */
function connectionFor(kubeconfig: string) {
  const controller = new AbortController()
  return {
    connection: {
      kubeconfig,
      signal: controller.signal,
      namespace: 'default',
      configMap: POOL_CONFIG_MAP,
    },
    [Symbol.dispose]: () => controller.abort(new Error('it has been proven')),
  }
}

async function within<T>(limitMs: number, complaint: string, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new UsageError(`${complaint} within ${limitMs / 1000} s`)), limitMs)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** False when the run was interrupted before it began. */
function clustersAreUp(): Promise<boolean> {
  return new Promise((resolve) => {
    process.on('message', (message: RunMessage) => {
      if (message.type === 'run') resolve(true)
    })
    process.channel?.ref()
    if (runSignal.aborted) resolve(false)
    runSignal.addEventListener('abort', () => resolve(false))
  })
}

/** Resolves once the event has left, so that leaving right after loses nothing. */
function say(event: RunEvent): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(event, () => resolve())
    else resolve()
  })
}

/** Cucumber wraps what went wrong; the innermost cause is what a person can act on. */
function oneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined && !(error instanceof UsageError)) return oneLine(error.cause)
  return error.message.replaceAll(/\s*\n\s*/g, ' ').trim()
}
