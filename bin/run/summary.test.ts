import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { AcceptanceSummary, Counts } from '../../support/report/summary.ts'
import type { RunContext } from '../../support/run-context.ts'
import { Results } from './results.ts'
import { printSummary } from './summary.ts'
import { Terminal } from './terminal.ts'

describe('the end of a run’s output', () => {
  it('says of a whole run what is missing, and why', () => {
    expect(lines({ scenarios: { passed: 214 }, criteria: { passed: 17, missing: 13 } })).to.deep.equal([
      'Scenarios on embedded v1.36.3: 214 passed (12.0 s)',
      'Criteria: 17 passed, 13 missing (no scenario yet)',
    ])
  })

  it('says of a selection how much it proved and how much it left out', () => {
    const summary = {
      scenarios: { passed: 4 },
      criteria: { missing: 12, unselected: 18 },
      cells: { passed: 1, missing: 57, unselected: 73 },
    }
    expect(lines(summary)).to.deep.equal([
      'Scenarios on embedded v1.36.3: 4 passed (12.0 s)',
      'Cells: 1 passed, 57 missing (no scenario yet), 73 not selected in this run',
      'Criteria: 0 passed, 12 missing, 18 not selected in full',
    ])
  })

  it('does not blame a want of scenarios for what an early end left undone', () => {
    const [, criteria] = lines({ scenarios: { passed: 4, missing: 2 }, criteria: { passed: 1, missing: 29 } })
    expect(criteria).to.equal('Criteria: 1 passed, 29 missing (no scenario yet, or the run ended before it)')
  })

  it('names what was required, and what came of it', () => {
    const unmet = [
      { id: 'NP-2', verdict: 'missing', reason: 'cells: list' },
      { id: 'NP-3.contended', verdict: 'unselected', reason: 'not selected in this run' },
    ] as const
    expect(lines({ unmet }).slice(0, 2)).to.deep.equal([
      'Required: NP-2 is missing (cells: list)',
      'Required: NP-3.contended is not selected in this run',
    ])
  })
})

interface Change {
  readonly scenarios?: Partial<Counts>
  readonly criteria?: Partial<Counts>
  readonly cells?: Partial<Counts>
  readonly unmet?: AcceptanceSummary['unmet']
}

function lines({ scenarios, criteria, cells, unmet = [] }: Change): string[] {
  const counts = { failed: 0, flaky: 0, missing: 0, unselected: 0, skipped: 0, passed: 0 }
  const summary = {
    verdict: 'passed' as const,
    scenarios: { ...counts, ...scenarios },
    criteria: { ...counts, ...criteria },
    cells: { ...counts, ...cells },
    unmet,
    problems: [],
  }
  const written: string[] = []
  const terminal = new Terminal({ write: (text) => written.push(text) }, { NO_COLOR: '1' })
  printSummary(terminal, {
    context: { rung: 'embedded', version: 'v1.36.3' } as RunContext,
    results: new Results(),
    reports: { summary, pages: [], notes: [] },
    seconds: 12,
    interrupted: false,
  })
  return written.join('').trim().split('\n')
}
