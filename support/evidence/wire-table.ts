import type { Exchange } from '../interference/journal.ts'
import { textTable } from './text-table.ts'

/** The first and the last exchanges tell the story; what lies between is counted. */
const SHOWN = 40

/** What went over the wire, exchange by exchange, with the versions read and written and what interfered. */
export function wireTable(exchanges: readonly Exchange[]): string {
  const rows = exchanges.map(row)
  const headings = [
    'ms',
    'client',
    'verb',
    'object',
    'version sent',
    'answer',
    'version answered',
    'interference',
  ]
  if (rows.length <= SHOWN) return textTable(headings, rows)
  const gap = [`… ${rows.length - SHOWN} more …`]
  return textTable(headings, [...rows.slice(0, SHOWN / 2), gap, ...rows.slice(-SHOWN / 2)])
}

function row(exchange: Exchange): string[] {
  const { at, client, verb, resource, name, path, code, lost } = exchange
  const object = resource ? [resource, name].filter(Boolean).join('/') : path
  const answer = [code, lost].filter((part) => part !== undefined).join(', ')
  return [
    at.toFixed(0),
    client,
    verb,
    object,
    exchange.versionSent ?? '',
    answer || 'none',
    exchange.versionAnswered ?? '',
    exchange.interference.join('; '),
  ]
}
