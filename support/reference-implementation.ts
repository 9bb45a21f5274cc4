import { connectApi } from '../src/api/connect.ts'
import { PoolwrightError } from '../src/contract/errors.ts'
import type {
  Connection,
  Implementation,
  Outcome,
  OutcomeError,
  PoolUnderTest,
} from '../src/contract/implementation.ts'
import { type Journal, openJournal } from '../src/pool/journal.ts'
import { openPool, type PoolContext } from '../src/pool/pool.ts'
import type { ReclaimProgress } from '../src/pool/reclaim.ts'

/** The implementation that is tested where none is named: src/pool, with its typed errors turned into plain outcomes. */
const reference: Implementation = {
  name: 'reference',
  async connect({ kubeconfig, ...place }: Connection): Promise<PoolUnderTest> {
    const api = connectApi(kubeconfig)

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
      // Wired by whoever writes src/pool/set-byoh.ts and src/pool/readiness.ts, each with `run` as above.
      setByoh: () => run(notYet, { hosts: [] }),
      cleanUpByoh: () => run(notYet, { removedInstances: [], released: [], removedMachineSets: [] }),
      readiness: () => run(notYet, { ready: false, rows: [] }),
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

async function notYet(): Promise<never> {
  throw new Error('setBYOH and readiness are being written')
}
