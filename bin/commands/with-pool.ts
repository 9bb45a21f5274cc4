import { delimiter } from 'node:path'
import type { ErrorCode } from '../../src/contract/error-codes.ts'
import { PoolwrightError, UsageError } from '../../src/contract/errors.ts'
import { defaultKubeconfig, presentKubeconfigs } from '../../src/kube/kubeconfig.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { EXIT } from '../exit-codes.ts'
import { listenForInterruption } from '../run/interruption.ts'
import type { PoolOptions } from './pool-options.ts'
import { printable } from './printable.ts'

/** Opens the pool for one subcommand and turns a typed refusal into one clear line, its remedy and an exit code. */
export async function withPool(options: PoolOptions, work: (pool: Pool) => Promise<void>): Promise<void> {
  const kubeconfig = findKubeconfigs(options.kubeconfig)
  // Loaded here because the Kubernetes client takes its time, which `--help` need not wait for.
  const [{ connectApi }, { openPool }, { openJournal }] = await Promise.all([
    import('../../src/api/connect.ts'),
    import('../../src/pool/pool.ts'),
    import('../../src/pool/journal.ts'),
  ])
  using interruption = listenForInterruption()
  const { namespace, configMap } = options
  const api = connectApi(kubeconfig)
  try {
    await work(openPool({ api, namespace, configMap, journal: openJournal(), signal: interruption.asked }))
  } catch (error) {
    if (!(error instanceof PoolwrightError)) throw error
    process.stderr.write(`poolwright: ${error.code}: ${printable(error.message)} ${error.remedy}\n`)
    process.exitCode = EXIT_CODES[error.code] ?? EXIT.failed
  }
}

/** Refusals of the pool are failures of the command; these are not the pool's. */
const EXIT_CODES: Partial<Record<ErrorCode, number>> = {
  InvalidRequest: EXIT.usage,
  AddressRefused: EXIT.usage,
  Cancelled: EXIT.interrupted,
}

/** Those of a list that are there: the others count for nothing, as with kubectl. */
function findKubeconfigs(asked: string | undefined): readonly string[] {
  const paths = asked ?? defaultKubeconfig()
  const found = presentKubeconfigs(paths)
  if (found.length > 0) return found
  throw new UsageError(
    `There is no kubeconfig ${paths.split(delimiter).join(', nor ')}: name one with --kubeconfig, or start a cluster with "poolwright cluster up --detach".`,
  )
}
