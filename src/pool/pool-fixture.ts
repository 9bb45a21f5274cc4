import { expect } from 'chai'
import type { ErrorCode } from '../contract/error-codes.ts'
import { PoolwrightError } from '../contract/errors.ts'
import type { ConfigMap, KubernetesObject } from '../contract/kubernetes.ts'
import { type ApiInMemory, apiInMemory } from './api-in-memory.ts'
import { openJournal } from './journal.ts'
import { openPool } from './pool.ts'

/** For tests: the text of an entry, available unless told otherwise; an empty field stands there without a value. */
export function entry(fields: Record<string, string> = {}): string {
  const all = {
    status: 'available',
    username: 'Administrator',
    'address-type': 'ip',
    platform: 'vsphere',
    'test-id': '',
    'allocated-at': '',
    'last-updated': '2026-03-31T12:00:00Z',
    ...fields,
  }
  return Object.entries(all)
    .map(([name, value]) => (value === '' ? `${name}:\n` : `${name}: ${value}\n`))
    .join('')
}

/** The text of an entry in use. */
export function held(testId: string, fields: Record<string, string> = {}): string {
  return entry({ status: 'in-use', 'test-id': testId, 'allocated-at': '2026-03-31T12:00:00Z', ...fields })
}

/** A pool over an API in memory (its own, or one that it shares), its journal, and what its ConfigMap holds. */
export function open(
  data: Record<string, string>,
  signal = new AbortController().signal,
  api = apiInMemory({ pool: data }),
) {
  const journal = openJournal()
  const pool = openPool({ api, namespace: 'windows', configMap: 'pool', journal, signal })
  return { api, journal, pool, data: () => dataOf(api) }
}

function dataOf(api: ApiInMemory): Record<string, string> {
  return (api.objects.get('configmaps/pool') as ConfigMap).data ?? {}
}

/** The typed error that this work must end with. */
export async function failure(work: Promise<unknown>, code: ErrorCode): Promise<PoolwrightError> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof PoolwrightError)) throw error
    expect(error.code, error.message).to.equal(code)
    return error
  }
  expect.fail(`expected ${code}, but it succeeded`)
}

/** A Node with addresses, its Ready condition as given. */
export function node(name: string, addresses: string[], ready: string): KubernetesObject {
  return {
    metadata: { name },
    status: {
      addresses: addresses.map((address) => ({ type: 'InternalIP', address })),
      conditions: [{ type: 'Ready', status: ready }],
    },
  }
}
