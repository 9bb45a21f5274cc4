import { defineParameterType } from '@cucumber/cucumber'
import type { NodeRole } from '../src/contract/cluster-roles.ts'
import { ADDRESS_TYPES, POOL_STATUSES } from '../src/contract/pool.ts'

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

/** `2 hours`, `1 minute`, in milliseconds. */
defineParameterType({
  name: 'age',
  useForSnippets: false,
  regexp: /(-?\d+) (millisecond|second|minute|hour|day)s?/,
  transformer: (count: string, unit: string) =>
    Number(count) * MILLISECONDS[unit as keyof typeof MILLISECONDS],
})

const MILLISECONDS = { millisecond: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }
