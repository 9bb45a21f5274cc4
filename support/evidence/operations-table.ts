import type { EntryOutcome } from '../../src/contract/implementation.ts'
import type { Performed } from '../outcomes.ts'
import { textTable } from './text-table.ts'

const SHOWN = 60

/** Each operation with its attempts, delays and the versions before and after, as the implementation tells it. */
export function operationsTable(performed: readonly Performed[]): string {
  const headings = ['operation', 'asked by', 'result', 'attempts', 'delays (ms)', 'version', 'took (ms)']
  const rows = performed.slice(0, SHOWN).map(row)
  if (performed.length > SHOWN) rows.push([`… ${performed.length - SHOWN} more …`])
  return textTable(headings, rows)
}

function row({ operation, request, outcome, client, tookMs }: Performed): string[] {
  const { node, before, after, unchanged } = outcome as EntryOutcome
  const asker = [(request as { testId?: string } | undefined)?.testId, client].filter(Boolean).join(' via ')
  const result = outcome.error?.code ?? node?.address ?? 'done'
  return [
    operation,
    asker,
    unchanged ? `${result} (nothing to change)` : result,
    `${outcome.attempts}`,
    outcome.delays.map((delay) => delay.toFixed(0)).join(', '),
    before === undefined ? '' : `${before} → ${after ?? before}`,
    tookMs.toFixed(0),
  ]
}
