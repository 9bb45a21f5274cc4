import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { ClusterDescription } from '../../clusters/provider.ts'
import { UsageError } from '../../src/contract/errors.ts'
import { readGitCommit } from '../../support/report/git-commit.ts'
import type { Reports } from '../../support/report/reports.ts'
import { readSecrets } from '../../support/report/secrets.ts'
import type { Counts } from '../../support/report/summary.ts'
import type { RunEvent } from '../../support/run-events.ts'
import { quote } from '../../support/safety/by-hand.ts'
import type { Audit } from '../../support/safety/leak-audit.ts'
import { undoLimitMs } from '../../support/safety/undo-limit.ts'
import { machineServices, whichCluster } from '../commands/cluster-settings.ts'
import { EXIT } from '../exit-codes.ts'
import { ensureSystemPackages } from '../system-packages.ts'
import { type RunClusters, startClusters } from './clusters.ts'
import { shareCompileCache } from './compile-cache.ts'
import { type CucumberProcess, startCucumber } from './cucumber.ts'
import { cucumberRequest } from './cucumber-request.ts'
import { type Interruption, listenForInterruption } from './interruption.ts'
import { auditLeaks } from './leak-audit.ts'
import { Progress } from './progress.ts'
import { clearReports, reportPaths } from './reports.ts'
import { makeReportsFolder } from './reports-folder.ts'
import { lockReports } from './reports-lock.ts'
import { restoreAfterCrash, restoreFirst } from './restore-first.ts'
import { Results } from './results.ts'
import { describeRun, identifyRun } from './run-identity.ts'
import type { RunRequest } from './run-request.ts'
import { makeScratchFolder } from './scratch-folder.ts'
import { printSummary } from './summary.ts'
import { type Output, Terminal } from './terminal.ts'

export interface RunOutcome {
  readonly exitCode: number
  readonly scenarios: Counts
}

/**
 * Runs the suite once, one way: old reports away, clusters up, Cucumber, verdicts, clusters down. Rejects with a
 * UsageError when there was nothing to run or nothing to run it on.
 */
export async function runSuite(request: RunRequest, output: Output = process.stdout): Promise<RunOutcome> {
  shareCompileCache()
  await makeReportsFolder(request.reports)
  await using _lock = await lockReports(request.reports)
  await clearReports(request.reports)
  const identity = identifyRun()
  const terminal = new Terminal(output)
  using progress = new Progress(terminal)
  using interruption = listenForInterruption()
  const { asked } = interruption
  await using scratch = await makeScratchFolder()
  const results = new Results()
  const clusters = startClusters({
    provider: request.provider,
    runId: identity.runId,
    count: request.parallel,
    shared: request.name,
    signal: asked,
    progress: (line) => {
      // Minutes, and reasons that somebody looks for afterwards: such lines stay.
      if (!request.provider.ownedByRun) terminal.line(line)
      progress.preparing(line)
    },
    restore: (cluster) =>
      restoreFirst(cluster, {
        run: identity.runId,
        signal: asked,
        say: (line) => terminal.line(line),
      }),
    ...(request.settings && { settings: request.settings }),
    ...machineServices(request.systemPackages, asked, (line) => terminal.line(line)),
  })
  // Reads the features while the clusters are on their way.
  const contextPath = reportPaths(request.reports).context
  const listener = {
    line: (text: string) => terminal.line(text),
    event: (event: RunEvent) => {
      results.take(event)
      progress.take(event)
    },
  }
  const cucumber = startCucumber(cucumberRequest(request), contextPath, listener, { TMPDIR: scratch.path })
  passOn(interruption, cucumber, terminal, request, clusters)
  // Takes a while to load, and nothing needs it before Cucumber has ended.
  const reporting = import('../../support/report/reports.ts')
  const commit = readGitCommit()
  // Only the reports need them, so they are fetched beside the run.
  const packages = ensureSystemPackages(request.allure ? ['jre'] : [], {
    allowed: request.systemPackages,
    signal: asked,
    say: (line) => terminal.line(line),
  })
  try {
    const descriptions = await readiness(request, cucumber, clusters, asked)
    const context = { ...describeRun(identity, request, descriptions), commit: await commit }
    await writeFile(contextPath, JSON.stringify(context, undefined, 2))
    // While they are there: clusters of the run's own are gone when its reports are searched.
    const secrets = await readSecrets(context.kubeconfigs)
    const say = (line: string): void => terminal.line(line)
    // A provider restores before it judges its cluster; one that judges nothing did not, and a second look costs one list.
    if (!request.provider.ownedByRun)
      for (const cluster of descriptions)
        await restoreFirst(cluster, { run: identity.runId, signal: asked, say })
    if (!asked.aborted) await cucumber.run()
    const { success, refused } = await cucumber.ended
    // A worker that ends in the middle ends all of them without their clean-up, and Cucumber calls that a failure like others.
    const mayHaveCrashed = success !== true && !request.provider.ownedByRun
    if (refused !== undefined && !asked.aborted) throw new UsageError(refused)
    await packages
    const lost = mayHaveCrashed
      ? await restoreAfterCrash(descriptions, {
          run: identity.runId,
          signal: interruption.insisted,
          say,
        }).catch((error: unknown) => unlessInsisted(interruption, error, []))
      : []
    progress.preparing('looking for what the run left')
    const { leaks, unseen } = await auditLeaks({
      run: identity.runId,
      context: contextPath,
      clusters: descriptions,
      owned: request.provider.ownedByRun,
      down: () => clusters.down(),
      scratch,
      signal: interruption.insisted,
    }).catch((error: unknown) => unlessInsisted(interruption, error, NOT_AUDITED))
    progress.preparing('writing the reports')
    const interrupted = asked.aborted
    const { writeReports } = await reporting
    const reports = await writeReports({
      context,
      interrupted,
      secrets,
      failures: [...lost, ...(leaks.length > 0 ? [`The run left behind:\n${leaks.join('\n')}`] : [])],
      require: request.require,
      allure: request.allure,
      signal: interruption.insisted,
    })
    progress.stop()
    for (const each of unseen) terminal.line(`Not looked at for what the run left: ${each}`)
    const seconds = (Date.now() - identity.startedAt.getTime()) / 1000
    printSummary(terminal, { context, results, reports, seconds, interrupted })
    return {
      exitCode: interrupted ? EXIT.interrupted : exitCode(reports, success === true),
      scenarios: reports.summary.scenarios,
    }
  } finally {
    progress.stop()
    cucumber.abort('the run is over')
    await Promise.all([clusters.down(), cucumber.ended, packages])
  }
}

/** Features read and clusters up, whichever takes longer; no clusters where the run was interrupted before. */
async function readiness(
  request: RunRequest,
  cucumber: CucumberProcess,
  clusters: RunClusters,
  asked: AbortSignal,
): Promise<readonly ClusterDescription[]> {
  try {
    if ((await cucumber.planned) === 0) throw new UsageError(nothingMatches(request))
    return await clusters.up
  } catch (error) {
    if (asked.aborted) return []
    throw error
  }
}

function nothingMatches({ paths, tags }: RunRequest): string {
  const where = paths.length > 0 ? ` in ${paths.map((path) => relative(process.cwd(), path)).join(', ')}` : ''
  return `No scenario${where} matches${tags === undefined ? '' : ` the tags "${tags}"`}: nothing was run`
}

const NOT_AUDITED: Audit = { leaks: [], unseen: ['all of it, since the run was ended at once'] }

/** At the second signal nothing is waited for any more, and what was cut short is no failure. */
function unlessInsisted<T>({ insisted }: Interruption, error: unknown, then: T): T {
  if (insisted.aborted) return then
  throw error
}

function passOn(
  { asked, insisted }: Interruption,
  cucumber: CucumberProcess,
  terminal: Terminal,
  { provider, name, settings }: RunRequest,
  clusters: RunClusters,
): void {
  let allowanceMs = 0
  const named = name === undefined ? [] : ['--name', name]
  const which = ['--cluster', provider.rung, ...named, ...whichCluster(settings)]
  // Nodes that are off start again before a cluster that stays is left.
  if (!provider.ownedByRun)
    clusters.up.then(
      ([cluster]) => {
        if (cluster) allowanceMs = undoLimitMs(cluster.limits)
      },
      () => undefined,
    )
  asked.addEventListener('abort', () => {
    terminal.line(
      `${asked.reason}: scenarios that run are cut short and cleaned up; a second one ends them at once.`,
    )
    cucumber.abort(String(asked.reason), allowanceMs)
  })
  insisted.addEventListener('abort', () => {
    cucumber.kill()
    if (!provider.ownedByRun)
      terminal.line(
        `What was under way is left as it is. To put it back: npm run poolwright -- restore ${which.map(quote).join(' ')}`,
      )
  })
}

function exitCode({ summary }: Reports, success: boolean): number {
  const clean = success && summary.verdict === 'passed' && summary.unmet.length === 0
  return clean ? EXIT.passed : EXIT.failed
}
