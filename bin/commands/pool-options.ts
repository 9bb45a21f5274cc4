import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Options } from '../../src/contract/implementation.ts'
import { POOL_CONFIG_MAP, WMCO_NAMESPACE } from '../../src/contract/names.ts'
import type { LockStrategy, RetryPolicy } from '../../src/contract/pool.ts'

/** What every subcommand of `pool` takes. */
export interface PoolOptions {
  readonly kubeconfig?: string
  readonly namespace: string
  readonly configMap: string
  readonly output: 'table' | 'json'
  readonly attempts?: number
  readonly baseDelay?: number
  readonly deadline?: number
  readonly lock: LockStrategy
}

export function addPoolOptions(command: Command): Command {
  return command
    .option('--kubeconfig <path>', 'kubeconfig of the cluster; by default $KUBECONFIG, then ~/.kube/config')
    .option('--namespace <name>', 'where the pool lives', WMCO_NAMESPACE)
    .option('--config-map <name>', 'the pool’s ConfigMap', POOL_CONFIG_MAP)
    .addOption(new Option('--output <form>', 'how to print it').choices(['table', 'json']).default('table'))
    .option('--attempts <count>', 'attempts in all (default: 5)', numeral)
    .option('--base-delay <ms>', 'base of the delays between them (default: 500)', numeral)
    .option('--deadline <ms>', 'try until this time has passed, in place of a count', numeral)
    .addOption(
      new Option('--lock <strategy>', 'what protects a write')
        .choices(['resource-version', 'entry'])
        .default('resource-version'),
    )
}

/** The options of an operation, out of those of the command line. */
export function retryOf({ attempts, baseDelay, deadline, lock }: PoolOptions): Options {
  const retry: RetryPolicy = {
    ...(attempts !== undefined && { attempts }),
    ...(baseDelay !== undefined && { baseDelayMs: baseDelay }),
    ...(deadline !== undefined && { deadlineMs: deadline }),
  }
  return { retry, strategy: lock }
}

export function numeral(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number, 0 or more.')
}
