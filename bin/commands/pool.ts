import { Command } from 'commander'
import type { AddRequest, Options } from '../../src/contract/implementation.ts'
import type { AddressType } from '../../src/contract/pool.ts'
import type { ReclaimProgress } from '../../src/pool/reclaim.ts'
import { addPoolOptions, numeral, type PoolOptions, retryOf } from './pool-options.ts'
import { show } from './pool-output.ts'
import { withPool } from './with-pool.ts'

/** `poolwright pool`: the node pool by hand. Exit 0 when it was done, 1 when the pool refused it, 2 when used wrongly. */
export function poolCommand(): Command {
  return new Command('pool')
    .description('look at the node pool and change it')
    .addCommand(list())
    .addCommand(stats())
    .addCommand(allocate())
    .addCommand(release())
    .addCommand(add())
    .addCommand(remove())
    .addCommand(quarantine())
    .addCommand(repair())
    .addCommand(reclaim())
}

function list(): Command {
  return subcommand('list', 'every entry; malformed ones with the field that is wrong').action(
    (options: PoolOptions) => withPool(options, async (pool) => show.listing(options, await pool.list())),
  )
}

function stats(): Command {
  return subcommand('stats', 'counts by state and by platform').action((options: PoolOptions) =>
    withPool(options, async (pool) => show.stats(options, await pool.stats())),
  )
}

function allocate(): Command {
  return subcommand('allocate', 'take a node, or get the one that this test id holds')
    .requiredOption('--test-id <id>', 'who takes it')
    .option('--platform <platform>', 'of this platform only')
    .option('--address-type <type>', 'ip or dns')
    .action((options: PoolOptions & { testId: string; platform?: string; addressType?: AddressType }) =>
      withPool(options, async (pool) => {
        const { testId, platform, addressType } = options
        show.entry(
          options,
          await pool.allocate({ testId, ...given({ platform, addressType }), ...retryOf(options) }),
        )
      }),
    )
}

function release(): Command {
  return onAddress('release', 'give a node back')
    .requiredOption('--test-id <id>', 'who holds it')
    .option('--allocated-at <time>', 'this lease only, by its time of allocation')
    .option('--failed', 'the host is suspect: quarantine it')
    .action(
      (address: string, options: PoolOptions & { testId: string; allocatedAt?: string; failed?: true }) =>
        withPool(options, async (pool) => {
          const { testId, allocatedAt, failed } = options
          show.entry(
            options,
            await pool.release({ address, testId, ...given({ allocatedAt, failed }), ...retryOf(options) }),
          )
        }),
    )
}

function add(): Command {
  return onAddress('add', 'put a host into the pool')
    .requiredOption('--username <user>', 'who logs in to it')
    .requiredOption('--platform <platform>', 'where it runs, such as vsphere')
    .option('--address-type <type>', 'ip or dns; by default what the address looks like')
    .option('--status <status>', 'available or quarantined', 'available')
    .option('--machine <name>', 'the machine behind it, shared by its other addresses')
    .action((address: string, options: PoolOptions & Omit<AddRequest, 'address' | keyof Options>) =>
      withPool(options, async (pool) => {
        const { username, platform, status, machine } = options
        const addressType = options.addressType ?? (/^[\d.]+$|:/.test(address) ? 'ip' : 'dns')
        const request = { address, username, platform, addressType, ...given({ status, machine }) }
        show.entry(options, await pool.add({ ...request, ...retryOf(options) }))
      }),
    )
}

function remove(): Command {
  return onAddress('remove', 'take a host out of the pool')
    .option('--force', 'also while it is in use')
    .action((address: string, options: PoolOptions & { force?: true }) =>
      withPool(options, async (pool) =>
        show.entry(
          options,
          await pool.remove({ address, ...given({ force: options.force }), ...retryOf(options) }),
        ),
      ),
    )
}

function quarantine(): Command {
  return onAddress('quarantine', 'set a host aside')
    .option('--test-id <id>', 'its holder, when it is in use')
    .action((address: string, options: PoolOptions & { testId?: string }) =>
      withPool(options, async (pool) => {
        const request = { address, to: 'quarantined', ...given({ testId: options.testId }) } as const
        show.entry(options, await pool.updateStatus({ ...request, ...retryOf(options) }))
      }),
    )
}

function repair(): Command {
  return onAddress('repair', 'offer a quarantined host again').action(
    (address: string, options: PoolOptions) =>
      withPool(options, async (pool) =>
        show.entry(options, await pool.updateStatus({ address, to: 'available', ...retryOf(options) })),
      ),
  )
}

function reclaim(): Command {
  return subcommand('reclaim', 'free nodes whose holders have not renewed for too long')
    .requiredOption('--older-than <seconds>', 'since the last renewal', numeral)
    .action((options: PoolOptions & { olderThan: number }) =>
      withPool(options, async (pool) => {
        const progress: ReclaimProgress = { reclaimed: [], kept: [] }
        try {
          await pool.reclaim({ olderThanSeconds: options.olderThan, ...retryOf(options) }, progress)
        } finally {
          show.reclaimed(options, progress)
        }
      }),
    )
}

function onAddress(name: string, description: string): Command {
  return subcommand(name, description).argument('<address>', 'key of the entry')
}

function subcommand(name: string, description: string): Command {
  return addPoolOptions(new Command(name).description(description))
}

/** Leaves out what was not given: a request says nothing about it then. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
