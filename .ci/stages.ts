/**
 * Every check, the acceptance suite, and the faults that the change touches. Ends with the line `N passed, N failed`;
 * exit code 1 when anything failed. `CI_BASE` names the commit that the change is measured from.
 */
import { fileURLToPath } from 'node:url'
import { $, type ProcessPromise, which } from 'zx'
import { whyNotInstall } from '../bin/system/install-permission.ts'
import { thisMachine } from '../bin/system/machine.ts'
import { engineFolders } from '../clusters/kind/engine/engine-folders.ts'
import { lookForEngine } from '../clusters/kind/engine/find-engine.ts'
import { stopEngine } from '../clusters/kind/engine/stop-engine.ts'
import { userCache } from '../clusters/this-machine/user-cache.ts'
import { countStage, type StageCount } from './count-stage.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort(signal))

/** Of its own, so that it takes no cluster of the person whose machine this is. */
const CI_CLUSTERS = { ...process.env, XDG_STATE_HOME: userCache('ci') }
/** Nothing takes as long on two cores, unless it hangs. */
const STAGE_LIMIT = '60m'
/** For what is to be gone however a run ended. */
const CLEAN_UP_LIMIT_MS = 3 * 60_000

const anyway = $({
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: ['ignore', 'pipe', 'pipe'],
  nothrow: true,
  quiet: true,
  timeout: STAGE_LIMIT,
})
const inProject = anyway({ signal: stop.signal })
const counts: StageCount[] = []

try {
  await allStages()
} finally {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = stop.signal.aborted ? 130 : failed === 0 ? 0 : 1
}

async function allStages(): Promise<void> {
  // First, so that the checks that need it are not skipped. Without Go they are, and say so.
  if (await which('go', { nothrow: true })) {
    await stage('kubectl', ['run', '--silent', 'kubectl'])
    await goStage('CSI driver', 'clusters/kind/from-packages/csi-driver')
  }
  await stage('npm test', ['test', '--silent'], /^\d+ passed, \d+ failed/)
  await stage('npm run accept', ['run', '--silent', 'accept'], /^Scenarios on /)
  if (stop.signal.aborted) return
  const base = process.env.CI_BASE || 'HEAD~1'
  const known = await inProject`git rev-parse --quiet --verify ${`${base}^{commit}`}`
  const since = known.exitCode === 0 ? ['--changed-since', base] : []
  await stage(['faults', ...since].join(' '), ['run', '--silent', 'faults', '--', ...since])

  await kindStage()
}

/** On a real cluster, wherever one can be had: a run without it has not passed there. */
async function kindStage(): Promise<void> {
  if (stop.signal.aborted) return
  const engine = await lookForEngine(stop.signal, engineFolders())
  const refusal = whyNotInstall(thisMachine())
  if ('reason' in engine && refusal) {
    console.log(`\n== kind\nNOT RUN ON KIND: ${engine.reason}, and none can be installed: ${refusal}`)
    return
  }
  // From packages: a registry that answers slowly, or with another image, decides nothing here.
  const words = [
    'run',
    '--silent',
    'accept',
    '--',
    '--cluster',
    'kind',
    '--from-packages',
    '--reports',
    'reports/kind',
  ]
  try {
    await show(
      'npm run accept -- --cluster kind',
      inProject({ env: CI_CLUSTERS })`npm ${words}`,
      /^Scenarios on /,
    )
    if (!stop.signal.aborted)
      await show(
        'npm run drain-check -- --cluster kind',
        inProject({ env: CI_CLUSTERS })`npm run --silent drain-check -- --cluster kind`,
      )
  } finally {
    await removeKind('reason' in engine)
  }
}

async function removeKind(ourEngine: boolean): Promise<void> {
  const signal = AbortSignal.timeout(CLEAN_UP_LIMIT_MS)
  const words = ['run', '--silent', 'poolwright', '--', 'cluster', 'down', '--cluster', 'kind']
  const { exitCode, stdall } = await anyway({ signal, env: CI_CLUSTERS })`npm ${words}`
  if (exitCode !== 0) console.log(`The cluster could not be taken down: ${stdall.trim()}`)
  // What was running before is somebody's.
  if (ourEngine) await stopEngine({ signal })
}

/** Go's own tests of a program of ours. */
async function goStage(title: string, module: string): Promise<void> {
  if (!stop.signal.aborted) await show(`${title}: go test`, inProject`go -C ${module} test ./...`)
}

/** What npm prints. */
async function stage(title: string, words: readonly string[], line?: RegExp): Promise<void> {
  if (!stop.signal.aborted) await show(title, inProject`npm ${words}`, line)
}

/** Shows what a program prints and counts by its last line that looks as given, or the stage as one thing. */
async function show(title: string, running: ProcessPromise, line?: RegExp): Promise<void> {
  console.log(`\n== ${title}`)
  running.stdout.pipe(process.stdout)
  running.stderr.pipe(process.stderr)
  const { stdall, exitCode } = await running
  counts.push(countStage(stdall, exitCode, line))
}
