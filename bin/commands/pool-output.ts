import type { PoolEntry, PoolListing, PoolStats } from '../../src/contract/pool.ts'
import type { EntryResult, ReclaimResult } from '../../src/pool/pool.ts'
import type { PoolOptions } from './pool-options.ts'
import { printable } from './printable.ts'

type Form = Pick<PoolOptions, 'output'>

/** Prints results for people, as tables, or for programs, as JSON. */
export const show = {
  listing(form: Form, listing: PoolListing): void {
    print(form, listing, [
      ...table(ENTRY_HEADINGS, listing.entries.map(entryRow), 'No entries.'),
      ...(listing.malformed.length === 0 ? [] : ['', 'Set aside as malformed:']),
      ...table(
        ['ADDRESS', 'FIELD', 'FOUND'],
        listing.malformed.map(({ address, field, found }) => [address, field, found]),
      ),
    ])
  },

  stats(form: Form, stats: PoolStats): void {
    const counts = [
      ['enabled', stats.enabled ? 'yes' : 'no: the ConfigMap does not exist'],
      ['total', stats.total],
      ['available', stats.available],
      ['in-use', stats.inUse],
      ['quarantined', stats.quarantined],
      ['malformed', stats.malformed],
      ...Object.entries(stats.byPlatform).map(([platform, count]) => [`platform ${platform}`, count]),
    ]
    print(form, stats, columns(counts.map((row) => row.map(String))))
  },

  entry(form: Form, result: EntryResult): void {
    const note = result.unchanged ? ['Nothing had to be written.'] : []
    print(form, result, [...table(ENTRY_HEADINGS, result.node ? [entryRow(result.node)] : []), ...note])
  },

  reclaimed(form: Form, { reclaimed, kept }: ReclaimResult): void {
    print(form, { reclaimed, kept }, [
      ...table(ENTRY_HEADINGS, reclaimed.map(entryRow), 'No lease was reclaimed.'),
      ...kept.map(({ address, reason }) => `kept ${printable(address)}: ${printable(reason)}`),
    ])
  },
}

const ENTRY_HEADINGS = [
  'ADDRESS',
  'STATUS',
  'PLATFORM',
  'TYPE',
  'USERNAME',
  'MACHINE',
  'TEST ID',
  'SINCE',
  'UPDATED',
]

function entryRow(entry: PoolEntry): string[] {
  const { address, status, platform, addressType, username, machine, testId, allocatedAt, lastUpdated } =
    entry
  return [address, status, platform, addressType, username, machine, testId, allocatedAt, lastUpdated].map(
    (cell) => cell ?? '–',
  )
}

function print(form: Form, data: unknown, lines: readonly string[]): void {
  const text = form.output === 'json' ? JSON.stringify(data, null, 2) : lines.join('\n')
  process.stdout.write(`${text}\n`)
}

function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  otherwise?: string,
): string[] {
  if (rows.length > 0) return columns([headings, ...rows])
  return otherwise === undefined ? [] : [otherwise]
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(printable))
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  )
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
