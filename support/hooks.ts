import {
  After,
  AfterAll,
  AfterStep,
  Before,
  BeforeStep,
  type ITestCaseHookParameter,
  type ITestStepHookParameter,
  setDefaultTimeout,
  setDefinitionFunctionWrapper,
  setParallelCanAssign,
  setWorldConstructor,
} from '@cucumber/cucumber'
import { runSignal } from './abort.ts'
import { attachEvidence } from './evidence/attach.ts'
import { missingCapabilities } from './gates.ts'
import { evenWhenInterrupted, skipWhenInterrupted } from './interrupted-scenario.ts'
import { readRunContext } from './run-context.ts'
import { permitChanges } from './safety/changing-steps.ts'
import { HOLDING_TAGS, holdOf } from './safety/hold.ts'
import { NotRestoredError } from './safety/restore.ts'
import { maySideBySide } from './safety/side-by-side.ts'
import { stopReason, stopRun } from './safety/stopped-run.ts'
import { undoLimitMs } from './safety/undo-limit.ts'
import { skip } from './skip.ts'
import { closeWorker, openWorker } from './worker.ts'
import { PoolwrightWorld } from './world.ts'

const { limits, kubeconfigs } = readRunContext()

/**
 * Cucumber abandons a step that reaches its time-out and lets it run on, so this one is only the last resort: the
 * world's own limit comes earlier and ends the step's waits, which then say what they last saw.
 */
const LAST_RESORT_MS = 60_000
/** A real cluster begins to empty a namespace 5 s after its deletion; the run ends as soon as the last is gone. */
const NAMESPACES_GONE_MS = 60_000
/** What evidence and clean-up may take when the scenario's own signal no longer counts. */
const CLOSING_MS = 10_000

setDefinitionFunctionWrapper((...definition: Parameters<typeof permitChanges>) =>
  skipWhenInterrupted(permitChanges(...definition)),
)
setWorldConstructor(PoolwrightWorld)
// Where each worker has a cluster of its own they never meet.
if (kubeconfigs.length === 1) setParallelCanAssign(maySideBySide)
setDefaultTimeout(limits.step + LAST_RESORT_MS)

Before({ name: 'a namespace and a proxy of its own' }, async function (this: PoolwrightWorld, { pickle }) {
  const stopped = stopReason()
  if (stopped !== undefined) return skip(this, stopped)
  const worker = await openWorker()
  const missing = missingCapabilities(
    pickle.tags.map(({ name }) => name),
    worker.run.capabilities,
  )
  if (missing.length) return skip(this, `the ${worker.run.rung} rung has no ${missing.join(', no ')}`)
  await this.open(worker)
})

// However long others take: a limit would make a failure of somebody else's drill.
Before(
  { name: 'nobody else is at what it changes or uses', tags: HOLDING_TAGS, timeout: -1 },
  async function (this: PoolwrightWorld, { pickle }: ITestCaseHookParameter) {
    if (!this.isOpen) return
    try {
      await this.safety.hold(pickle.tags.map(({ name }) => name))
    } catch (error) {
      if (error instanceof NotRestoredError) stopRun('The run was stopped: what another left is not restored')
      throw error
    }
  },
)

BeforeStep(function (this: PoolwrightWorld, { pickleStep }) {
  this.stepClock.start(limits.step)
  if (this.isOpen) this.safety.begin(pickleStep.text)
})

AfterStep(
  evenWhenInterrupted(async function (
    this: PoolwrightWorld,
    { pickle, pickleStep, result }: ITestStepHookParameter,
  ) {
    this.stepClock.stop()
    const last = pickle.steps.at(-1)?.id === pickleStep.id
    const failed = result.status !== 'PASSED'
    if (last || failed) await attachEvidence(this, AbortSignal.timeout(CLOSING_MS), failed)
  }),
)

After(
  { name: 'nothing failed unnoticed, nothing is left', timeout: undoLimitMs(limits) + 4 * CLOSING_MS },
  evenWhenInterrupted(async function (this: PoolwrightWorld, { pickle, result }: ITestCaseHookParameter) {
    if (!this.isOpen) return
    let isClosed = false
    try {
      await this.close()
      isClosed = true
    } finally {
      if (!this.safety.isClean)
        stopRun(`The run was stopped: what "${pickle.name}" changed of the cluster could not be put back`)
      const { namespaces } = await openWorker()
      const runsNothing = holdOf(pickle.tags.map(({ name }) => name)).nodes === 'none'
      const isSettled = isClosed && result?.status === 'PASSED' && runsNothing && this.proxy.isSettled
      await allOf(
        // Another scenario waits for them.
        this.safety.releaseWindowsHosts(AbortSignal.timeout(CLOSING_MS)),
        // Pods are on the nodes until their namespace goes.
        namespaces
          .giveBack(this.namespace, isSettled, CLOSING_MS)
          .finally(() => this.safety.releaseNodes(AbortSignal.timeout(CLOSING_MS))),
      )
    }
    if (result?.status === 'PASSED') this.assertNothingUnnoticed()
  }),
)

AfterAll(
  { timeout: NAMESPACES_GONE_MS * 2 },
  evenWhenInterrupted(async () => {
    await closeWorker(runSignal.aborted ? CLOSING_MS : NAMESPACES_GONE_MS)
  }),
)

/** Waits for all of them whatever comes of each; throws the first failure. */
async function allOf(...works: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(works)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
