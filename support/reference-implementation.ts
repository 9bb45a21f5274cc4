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
      work: (context: PoolContext) => Promise<T>,
      whenFailed: F,
    ): Promise<Outcome & (T | F)> {
      const journal = openJournal()
      try {
        const result = await work({ api, ...place, journal })
        return { ...result, ...factsOf(journal) }
      } catch (error) {
        if (!(error instanceof PoolwrightError)) throw error
        journal.record('error', { operation: 'outcome', decision: error.code, reason: error.message })
        return { ...whenFailed, ...factsOf(journal), error: plain(error) }
      }
    }

    return {
      allocate: (request) => run((context) => openPool(context).allocate(request), {}),
      release: (request) => run((context) => openPool(context).release(request), {}),
      renew: (request) => run((context) => openPool(context).renew(request), {}),
      updateStatus: (request) => run((context) => openPool(context).updateStatus(request), {}),
      add: (request) => run((context) => openPool(context).add(request), {}),
      remove: (request) => run((context) => openPool(context).remove(request), {}),
      reclaim: (request) => {
        const progress: ReclaimProgress = { reclaimed: [], kept: [] }
        return run((context) => openPool(context).reclaim(request, progress), progress)
      },
      stats: () => run(async (context) => ({ stats: await openPool(context).stats() }), {}),
      list: () => run(async (context) => ({ listing: await openPool(context).list() }), {}),
      setByoh: (request) => {
        const progress: ByohProgress = { hosts: [] }
        return run(
          async (context) => setByoh({ ...context, kube: await watches() }, request, progress),
          progress,
        )
      },
      cleanUpByoh: (request) => {
        const done: ByohCleanUp = { removedInstances: [], released: [], removedMachineSets: [] }
        return run(async (context) => cleanUpByoh({ ...context, kube: await watches() }, request, done), done)
      },
      readiness: () =>
        run(async (context) => readiness({ ...context, kube: await watches() }), { ready: false, rows: [] }),
    }
  },
}

export default reference

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
