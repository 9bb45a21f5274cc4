import { defineParameterType } from '@cucumber/cucumber'
import type { AddressPoolRole, NodeRole, StorageRole } from '../src/contract/cluster-roles.ts'
import { ADDRESS_TYPES, POOL_STATUSES } from '../src/contract/pool.ts'

/** What steps are handed for what features call by a role. */
export type { AddressPoolRole, NodeRole, StorageRole }

const alternatives = (words: readonly string[]): RegExp => new RegExp(words.join('|'))

/** A key of the pool, well-formed or not: `192.0.2.17`, `win-1.example.com`, `2001:db8::1`, `Win_1`. */
defineParameterType({
  name: 'address',
  regexp: /[A-Za-z0-9_][A-Za-z0-9_.:-]*/,
  transformer: String,
  useForSnippets: false,
})

/** A test id in quotes: test "login". */
defineParameterType({
  name: 'test',
  regexp: /"([^"]+)"/,
  transformer: (id: string) => id,
  useForSnippets: false,
})

defineParameterType({ name: 'status', regexp: alternatives(POOL_STATUSES), useForSnippets: false })

defineParameterType({ name: 'address-type', regexp: alternatives(ADDRESS_TYPES), useForSnippets: false })

/** A platform as entries name it: `vsphere`, `aws`. */
defineParameterType({
  name: 'platform',
  regexp: /[a-z][a-z0-9-]*/,
  transformer: String,
  useForSnippets: false,
})

/** A pod of the scenario's own: pod "web". */
defineParameterType({
  name: 'pod',
  regexp: /pod "([^"]+)"/,
  transformer: (name: string) => name,
  useForSnippets: false,
})

/** A node by what it is for: `the data node`, `the management node`. */
defineParameterType({
  name: 'node',
  regexp: /the (data|management) node/,
  transformer: (role: string) => role as NodeRole,
  useForSnippets: false,
})

/** A pod that answers connections with its name: server "steady". */
defineParameterType({
  name: 'server',
  regexp: /server "([^"]+)"/,
  transformer: (name: string) => name,
  useForSnippets: false,
})

/** A Service of the scenario's own: service "game". */
defineParameterType({
  name: 'service',
  regexp: /service "([^"]+)"/,
  transformer: (name: string) => name,
  useForSnippets: false,
})

/** A pool of load-balancer addresses by what it is for: `the game pool`, `the small pool`. */
defineParameterType({
  name: 'address-pool',
  regexp: /the (game|management|small) pool/,
  transformer: (role: string) => role as AddressPoolRole,
  useForSnippets: false,
})

/** A claim of a volume, the scenario's own: claim "world". */
defineParameterType({
  name: 'claim',
  regexp: /claim "([^"]+)"/,
  transformer: (name: string) => name,
  useForSnippets: false,
})

/** A kind of storage by what it is for: `local storage`, `movable storage`. */
defineParameterType({
  name: 'storage',
  regexp: /(local|csi|movable) storage/,
  transformer: (role: string) => role as StorageRole,
  useForSnippets: false,
})

/** `2 hours`, `1 minute`, in milliseconds. */
defineParameterType({
  name: 'age',
  useForSnippets: false,
  regexp: /(-?\d+) (millisecond|second|minute|hour|day)s?/,
  transformer: (count: string, unit: string) =>
    Number(count) * MILLISECONDS[unit as keyof typeof MILLISECONDS],
})

const MILLISECONDS = { millisecond: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }
