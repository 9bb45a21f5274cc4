import { isIPv4 } from 'node:net'

/** One row of a feature's pool table, by column; an empty cell leaves its field out. */
export type PoolRow = Readonly<Record<string, string>>

/** What a table need not say when it doesn't matter. */
const DEFAULTS = { status: 'available', username: 'Administrator', platform: 'vsphere' } as const

/** Columns that stand for themselves in the entry, in the order in which an entry has them. */
const FIELDS = ['status', 'username', 'address-type', 'platform', 'machine', 'test-id'] as const
/** Columns that are told relative to now. */
const TIMES = ['age', 'renewed', 'ahead'] as const
const COLUMNS = new Set<string>(['address', ...FIELDS, ...TIMES])

/** The data of a pool's ConfigMap as a feature's table describes it; throws on a column that means nothing. */
export function poolData(rows: readonly PoolRow[], now = new Date()): Record<string, string> {
  return Object.fromEntries(rows.map((row) => [addressOf(row), entryText(row, now)]))
}

/** The text of one entry as a careful administrator would write it. */
export function entryText(row: PoolRow, now = new Date()): string {
  const fields = entryFields(row, now)
  return Object.entries(fields)
    .map(([name, value]) => (value === '' ? `${name}:\n` : `${name}: ${scalar(value)}\n`))
    .join('')
}

/** The fields of one entry by name; a holder's fields are there, and empty, while nobody holds it. */
function entryFields(row: PoolRow, now = new Date()): Record<string, string> {
  const unknown = Object.keys(row).filter((column) => !COLUMNS.has(column))
  if (unknown.length) throw new Error(`a pool table has no column ${unknown.join(', ')}`)
  const addressType = isIPv4(addressOf(row)) ? 'ip' : 'dns'
  const filled = Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== ''))
  const given: PoolRow = { ...DEFAULTS, 'address-type': addressType, ...filled }
  const allocated =
    given.age !== undefined ? -milliseconds(given.age) : milliseconds(given.ahead ?? '0 seconds')
  const renewed = given.renewed !== undefined ? -milliseconds(given.renewed) : allocated
  const held = given.status === 'in-use'
  return {
    ...Object.fromEntries(FIELDS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))),
    'test-id': given['test-id'] ?? '',
    'allocated-at': held ? instant(now, allocated) : '',
    'last-updated': instant(now, renewed),
  }
}

/** `2 hours` in milliseconds. */
function milliseconds(age: string): number {
  const [, count, unit] = /^(\d+) (millisecond|second|minute|hour|day)s?$/.exec(age) ?? []
  if (!count || !unit) throw new Error(`"${age}" is no age: write "2 hours"`)
  return Number(count) * UNITS[unit as keyof typeof UNITS]
}

/** RFC 3339 in UTC, to the second, as people write it. */
export function instant(now: Date, offsetMs: number): string {
  return new Date(now.getTime() + offsetMs).toISOString().replace(/\.\d+Z$/, 'Z')
}

const UNITS = { millisecond: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }

function addressOf(row: PoolRow): string {
  if (!row.address) throw new Error('a pool table needs an address in every row')
  return row.address
}

/** Quoted where YAML could take it for anything but this text. */
function scalar(value: string): string {
  return /^[A-Za-z][\w.@-]*$/.test(value) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value)
    ? value
    : /^[0-9T:Z-]{20}$/.test(value)
      ? value
      : JSON.stringify(value)
}
