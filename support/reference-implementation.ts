import { connectApi } from '../src/api/connect.ts'
import { PoolwrightError } from '../src/contract/errors.ts'
import type {
  Connection,
  Implementation,
  Outcome,
  OutcomeError,
  PoolUnderTest,
} from '../src/contract/implementation.ts'
import { KubeClient } from '../src/kube/client.ts'
import { loadKubeconfig } from '../src/kube/kubeconfig.ts'
import { type ByohCleanUp, cleanUpByoh } from '../src/pool/clean-up-byoh.ts'
import { type Journal, openJournal } from '../src/pool/journal.ts'
import { openPool, type PoolContext } from '../src/pool/pool.ts'
import { readiness } from '../src/pool/readiness.ts'
import type { ReclaimProgress } from '../src/pool/reclaim.ts'
import { type ByohProgress, setByoh } from '../src/pool/set-byoh.ts'

/** The implementation that is tested where none is named: src/pool, with its typed errors turned into plain outcomes. */
const reference: Implementation = {
  name: 'reference',
  async connect({ kubeconfig, ...place }: Connection): Promise<PoolUnderTest> {
    const api = connectApi(kubeconfig)
    let opened: Promise<KubeClient> | undefined
    /** For the watches of setBYOH, opened by the first of them; its connections end with whoever connected. */
    const watches = (): Promise<KubeClient> => {
      opened ??= openWatches(kubeconfig, place.signal)
      return opened
    }

    /** Runs one operation with a journal of its own; `whenFailed` is what a failed one still has to show. */
    async function run<T extends object, F extends object>(
      operation: string,
      asked: Subject,
      work: (context: PoolContext) => Promise<T>,
      whenFailed: F,
    ): Promise<Outcome & (T | F)> {
      const journal = openJournal()
      try {
        const result = await work({ api, ...place, journal })
        return { ...result, ...factsOf(journal) }
      } catch (error) {
        if (!(error instanceof PoolwrightError)) throw error
        recordRefusal(journal, operation, asked, error)
        return { ...whenFailed, ...factsOf(journal), error: plain(error) }
      }
    }

    return {
      allocate: (request) => run('allocate', request, (context) => openPool(context).allocate(request), {}),
      release: (request) => run('release', request, (context) => openPool(context).release(request), {}),
      renew: (request) => run('renew', request, (context) => openPool(context).renew(request), {}),
      updateStatus: (request) =>
        run('update status', request, (context) => openPool(context).updateStatus(request), {}),
      add: (request) => run('add', request, (context) => openPool(context).add(request), {}),
      remove: (request) => run('remove', request, (context) => openPool(context).remove(request), {}),
      reclaim: (request) => {
        const progress: ReclaimProgress = { reclaimed: [], kept: [] }
        return run('reclaim', {}, (context) => openPool(context).reclaim(request, progress), progress)
      },
      stats: () => run('stats', {}, async (context) => ({ stats: await openPool(context).stats() }), {}),
      list: () => run('list', {}, async (context) => ({ listing: await openPool(context).list() }), {}),
      setByoh: (request) => {
        const progress: ByohProgress = { hosts: [] }
        return run(
          'setBYOH',
          request,
          async (context) => setByoh({ ...context, kube: await watches() }, request, progress),
          progress,
        )
      },
      cleanUpByoh: (request) => {
        const done: ByohCleanUp = { removedInstances: [], released: [], removedMachineSets: [] }
        return run(
          'clean up BYOH',
          request,
          async (context) => cleanUpByoh({ ...context, kube: await watches() }, request, done),
          done,
        )
      },
      readiness: () =>
        run('readiness', {}, async (context) => readiness({ ...context, kube: await watches() }), {
          ready: false,
          rows: [],
        }),
    }
  },
}

export default reference

/** Who asked, and for which entry. */
interface Subject {
  readonly testId?: string
  readonly address?: string
}

/** The last line of a failed operation's log: at the version that was looked at last. */
function recordRefusal(
  journal: Journal,
  operation: string,
  { testId, address }: Subject,
  { code, message }: PoolwrightError,
): void {
  const resourceVersion = journal.records.findLast((record) => record.resourceVersion)?.resourceVersion
  journal.record('error', {
    operation,
    decision: `refused: ${code}`,
    reason: message,
    ...(testId !== undefined && { testId }),
    ...(address !== undefined && { address }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  })
}

function factsOf({ attempts, delays, records }: Journal): Outcome {
  return { attempts, delays, log: records }
}

function plain({ code, fallbackAllowed, message, remedy }: PoolwrightError): OutcomeError {
  return { code, fallbackAllowed, message, remedy }
}

async function openWatches(kubeconfig: string, signal: AbortSignal): Promise<KubeClient> {
  const kube = new KubeClient(await loadKubeconfig(kubeconfig))
  signal.addEventListener('abort', () => kube.close(), { once: true })
  return kube
}
