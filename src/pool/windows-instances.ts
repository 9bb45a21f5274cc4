import { ApiFailure } from '../api/api-failure.ts'
import { configMaps } from '../api/resource-path.ts'
import { PoolwrightError } from '../contract/errors.ts'
import type { Options } from '../contract/implementation.ts'
import type { ConfigMap } from '../contract/kubernetes.ts'
import { INSTANCES_CONFIG_MAP, WMCO_NAMESPACE } from '../contract/names.ts'
import type { PoolEntry } from '../contract/pool.ts'
import type { PoolContext } from './pool.ts'
import { retry } from './retry.ts'
import { checkPolicy } from './retry-policy.ts'

/** Entries of these hosts that were there before: their addresses. */
export type Listed = ReadonlySet<string>

/**
 * Asks the operator to configure these hosts, each by an entry of its own; every other entry stays as it is. One
 * that is listed already, and not by the `known` doing of this test, is somebody else's: EntryExists.
 */
export async function addInstances(
  context: PoolContext,
  testId: string,
  hosts: readonly PoolEntry[],
  known: Listed,
  options: Options,
): Promise<void> {
  // A write whose answer was lost may show when the ConfigMap is read again.
  let hasWritten = false
  await change(context, 'set-byoh', options, (data) => {
    for (const { address, username } of hosts) {
      if (!Object.hasOwn(data, address) || hasWritten) continue
      if (known.has(address) && data[address] === lineOf(username)) continue
      throw new PoolwrightError(
        'EntryExists',
        `ConfigMap ${WMCO_NAMESPACE}/${INSTANCES_CONFIG_MAP} lists ${address} already, and test ` +
          `${JSON.stringify(testId)} did not put it there.`,
      )
    }
    hasWritten = true
    const missing = hosts.filter(({ address, username }) => data[address] !== lineOf(username))
    return Object.fromEntries(missing.map(({ address, username }) => [address, lineOf(username)]))
  })
  record(context, testId, 'listed', hosts)
}

/** Takes the entries of these hosts out, and no other; answers the addresses that were there. */
export async function removeInstances(
  context: PoolContext,
  testId: string,
  hosts: readonly PoolEntry[],
  options: Options,
): Promise<string[]> {
  const removed = new Set<string>()
  await change(context, 'clean-up-byoh', options, (data) => {
    const there = hosts.filter(({ address }) => Object.hasOwn(data, address))
    for (const { address } of there) removed.add(address)
    return Object.fromEntries(there.map(({ address }) => [address, null]))
  })
  const gone = hosts.filter(({ address }) => removed.has(address))
  record(context, testId, 'taken out', gone)
  return gone.map(({ address }) => address)
}

function lineOf(username: string): string {
  return `username=${username}`
}

type Entries = Readonly<Record<string, string | null>>

/**
 * One read-decide-write: a merge patch of the entries in question under the version that was read. A ConfigMap that
 * does not exist is made by a create, which cannot overwrite one that somebody else makes meanwhile.
 */
async function change(
  context: PoolContext,
  operation: string,
  options: Options,
  decide: (data: Readonly<Record<string, string>>) => Entries,
): Promise<void> {
  const { api } = context
  const resource = configMaps(WMCO_NAMESPACE)
  const place = { ...context, namespace: WMCO_NAMESPACE, configMap: INSTANCES_CONFIG_MAP }
  await retry(place, operation, checkPolicy(options.retry), async (signal) => {
    const found = await orMissing(api.get<ConfigMap>(resource, INSTANCES_CONFIG_MAP, { signal }))
    const data = decide(found?.data ?? {})
    if (Object.keys(data).length === 0) return
    if (found) {
      const { resourceVersion, uid } = found.metadata ?? {}
      await again(
        'missing',
        api.mergePatch(
          resource,
          INSTANCES_CONFIG_MAP,
          { metadata: { resourceVersion, uid }, data },
          { signal },
        ),
      )
      return
    }
    const metadata = { name: INSTANCES_CONFIG_MAP, namespace: WMCO_NAMESPACE }
    const created = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: data as Record<string, string> }
    await again('exists', api.create<ConfigMap>(resource, created, { signal }))
  })
}

async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiFailure && error.kind === 'missing') return undefined
    throw error
  })
}

/** Deleted, or made, by somebody else since it was read: as good a reason to decide again as a conflict. */
async function again(kind: 'missing' | 'exists', call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    const isOvertaken = error instanceof ApiFailure && error.kind === kind
    throw isOvertaken ? new ApiFailure('conflict', error.message, { cause: error }) : error
  })
}

function record(context: PoolContext, testId: string, what: string, hosts: readonly PoolEntry[]): void {
  for (const { address } of hosts)
    context.journal.record('info', {
      operation: 'windows-instances',
      decision: what,
      reason: `in ConfigMap ${WMCO_NAMESPACE}/${INSTANCES_CONFIG_MAP}`,
      testId,
      address,
    })
}
