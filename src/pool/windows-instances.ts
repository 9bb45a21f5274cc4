import { createHash } from 'node:crypto'
import { ApiFailure } from '../api/api-failure.ts'
import type { KubernetesApi } from '../api/kubernetes-api.ts'
import { configMaps } from '../api/resource-path.ts'
import { PoolwrightError } from '../contract/errors.ts'
import type { Options } from '../contract/implementation.ts'
import type { ConfigMap } from '../contract/kubernetes.ts'
import {
  INSTANCES_CONFIG_MAP,
  LISTED_FOR_ANNOTATION_PREFIX,
  LISTING_FENCE_ANNOTATION,
  WMCO_NAMESPACE,
} from '../contract/names.ts'
import type { PoolEntry } from '../contract/pool.ts'
import type { PoolContext } from './pool.ts'
import { retry } from './retry.ts'
import { checkPolicy } from './retry-policy.ts'

/**
 * Asks the operator to configure these hosts, each by an entry of its own; every other entry stays as it is. One
 * that is listed already, and not by this test, is somebody else's, whatever its line says: EntryExists.
 */
export async function addInstances(
  context: PoolContext,
  testId: string,
  hosts: readonly PoolEntry[],
  options: Options,
): Promise<void> {
  await change(context, 'set-byoh', options, testId, (found) => {
    const foreign = hosts.find((host) => ownerOf(found, host, testId) === 'somebody else')
    if (foreign)
      throw new PoolwrightError(
        'EntryExists',
        `ConfigMap ${WMCO_NAMESPACE}/${INSTANCES_CONFIG_MAP} lists ${foreign.address} already, and test ` +
          `${JSON.stringify(testId)} did not put it there.`,
      )
    const missing = hosts.filter((host) => ownerOf(found, host, testId) === 'nobody')
    return { listings: missing.map(({ address, username }) => ({ address, line: lineOf(username) })) }
  })
  record(
    context,
    testId,
    'listed',
    hosts.map(({ address }) => address),
  )
}

/** The addresses that were unlisted, and those of hosts whose entry is somebody else's and stayed. */
export interface Unlisted {
  readonly removed: readonly string[]
  readonly foreign: ReadonlySet<string>
}

/**
 * Takes out the entries that this test made: for these hosts, or all that bear its mark. Nobody else's. That a host is
 * not listed proves nothing yet, since the write that lists it may still be on its way: a write of ours makes it fail.
 */
export async function removeInstances(
  context: PoolContext,
  testId: string,
  hosts: readonly PoolEntry[],
  which: 'of hosts' | 'all',
  options: Options,
): Promise<Unlisted> {
  const removed = new Set<string>()
  let foreign: readonly string[] = []
  await change(context, 'clean-up-byoh', options, testId, (found) => {
    foreign = ownedBy(found, hosts, testId, 'somebody else')
    const ours = oursOf(found, hosts, testId, which)
    for (const address of ours) removed.add(address)
    return {
      listings: ours.map((address) => ({ address, line: null })),
      fence: found !== undefined && ownedBy(found, hosts, testId, 'nobody').length > 0,
    }
  })
  record(context, testId, 'taken out', [...removed])
  record(context, testId, 'left to whoever put it there', foreign)
  return { removed: [...removed], foreign: new Set(foreign) }
}

/** Addresses whose entry this test made: of these hosts, or all that bear its mark. */
export async function listedInstances(
  context: PoolContext,
  testId: string,
  hosts: readonly PoolEntry[],
  which: 'of hosts' | 'all',
  options: Options,
): Promise<readonly string[]> {
  return retry(place(context), 'clean-up-byoh', checkPolicy(options.retry), async (signal) =>
    oursOf(await find(context.api, signal), hosts, testId, which),
  )
}

function oursOf(
  found: ConfigMap | undefined,
  hosts: readonly PoolEntry[],
  testId: string,
  which: 'of hosts' | 'all',
): string[] {
  const known = new Set(hosts.map(({ address }) => address))
  const left = which === 'all' ? markedBy(found, testId).filter((address) => !known.has(address)) : []
  return [...ownedBy(found, hosts, testId, 'this test'), ...left]
}

function ownedBy(
  found: ConfigMap | undefined,
  hosts: readonly PoolEntry[],
  testId: string,
  owner: Owner,
): string[] {
  return hosts.filter((host) => ownerOf(found, host, testId) === owner).map(({ address }) => address)
}

function lineOf(username: string): string {
  return `username=${username}`
}

type Owner = 'nobody' | 'this test' | 'somebody else'

/** Holding a host in the pool says nothing about who listed it, nor does a line that looks like ours: the mark does. */
function ownerOf(found: ConfigMap | undefined, { address, username }: PoolEntry, testId: string): Owner {
  const data = found?.data ?? {}
  if (!Object.hasOwn(data, address)) return 'nobody'
  const isOurs = found?.metadata?.annotations?.[markOf(address)] === testId
  return isOurs && data[address] === lineOf(username) ? 'this test' : 'somebody else'
}

/** Entries outlive the lease of their host where that was reclaimed, or the pool deleted, before the clean-up. */
function markedBy(found: ConfigMap | undefined, testId: string): string[] {
  const annotations = found?.metadata?.annotations
  return Object.keys(found?.data ?? {}).filter((address) => annotations?.[markOf(address)] === testId)
}

/** The annotation that says which test listed a host; by hash, since a DNS name may be longer than a key. */
function markOf(address: string): string {
  const hash = createHash('sha256').update(address).digest('hex')
  return `${LISTED_FOR_ANNOTATION_PREFIX}${hash.slice(0, 16)}`
}

/** What becomes of one host's entry; null takes it out. */
interface Listing {
  readonly address: string
  readonly line: string | null
}

interface Decision {
  readonly listings: readonly Listing[]
  /** A write is needed even where there is nothing to change: every write that was decided on earlier then fails. */
  readonly fence?: boolean
}

/**
 * One read-decide-write: a merge patch of the entries in question and their marks under the version that was read. A
 * ConfigMap that does not exist is made empty first: a create has no version to be held against, so one that arrives
 * late may list nobody.
 */
async function change(
  context: PoolContext,
  operation: string,
  options: Options,
  testId: string,
  decide: (found: ConfigMap | undefined) => Decision,
): Promise<void> {
  const { api } = context
  const resource = configMaps(WMCO_NAMESPACE)
  await retry(place(context), operation, checkPolicy(options.retry), async (signal) => {
    const found = await find(api, signal)
    const { listings, fence } = decide(found)
    if (listings.length === 0 && !fence) return
    const { resourceVersion, uid } = (found ?? (await createEmpty(api, signal))).metadata ?? {}
    const data = Object.fromEntries(listings.map(({ address, line }) => [address, line]))
    const annotations = Object.fromEntries([
      ...listings.map(({ address, line }) => [markOf(address), line === null ? null : testId]),
      // A patch that changes nothing would not make a new version; this value was never there before.
      ...(listings.length === 0 ? [[LISTING_FENCE_ANNOTATION, resourceVersion]] : []),
    ])
    const patch = { metadata: { resourceVersion, uid, annotations }, data }
    await again('missing', api.mergePatch(resource, INSTANCES_CONFIG_MAP, patch, { signal }))
  })
}

/** What messages and records of a retry say was asked for. */
function place(context: PoolContext): PoolContext {
  return { ...context, namespace: WMCO_NAMESPACE, configMap: INSTANCES_CONFIG_MAP }
}

function find(api: KubernetesApi, signal: AbortSignal): Promise<ConfigMap | undefined> {
  return orMissing(api.get<ConfigMap>(configMaps(WMCO_NAMESPACE), INSTANCES_CONFIG_MAP, { signal }))
}

async function createEmpty(api: KubernetesApi, signal: AbortSignal): Promise<ConfigMap> {
  const metadata = { name: INSTANCES_CONFIG_MAP, namespace: WMCO_NAMESPACE }
  const empty: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata }
  return again('exists', api.create<ConfigMap>(configMaps(WMCO_NAMESPACE), empty, { signal }))
}

async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiFailure && error.kind === 'missing') return undefined
    throw error
  })
}

/** Deleted, or made, by somebody else since it was read: as good a reason to decide again as a conflict. */
async function again<T>(kind: 'missing' | 'exists', call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    const isOvertaken = error instanceof ApiFailure && error.kind === kind
    throw isOvertaken ? new ApiFailure('conflict', error.message, { cause: error }) : error
  })
}

function record(context: PoolContext, testId: string, what: string, addresses: readonly string[]): void {
  for (const address of addresses)
    context.journal.record('info', {
      operation: 'windows-instances',
      decision: what,
      reason: `in ConfigMap ${WMCO_NAMESPACE}/${INSTANCES_CONFIG_MAP}`,
      testId,
      address,
    })
}
