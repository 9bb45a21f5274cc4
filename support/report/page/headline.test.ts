import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { Acceptance } from '../acceptance.ts'
import type { Family } from '../criteria.ts'
import type { Verdict } from '../model.ts'
import { headline } from './headline.ts'

describe('the headline', () => {
  it('is the rung and the weightiest that is true', () => {
    expect(titleOf(['passed'])).to.equal('Passed on embedded')
    expect(titleOf(['passed', 'skipped'])).to.equal('Passed, with gaps, on embedded')
    expect(titleOf(['passed', 'skipped', 'missing'])).to.equal('Incomplete on embedded')
    expect(titleOf(['missing', 'flaky'], { verdict: 'flaky' })).to.equal('Flaky on embedded')
    expect(titleOf(['flaky'], { verdict: 'flaky', interrupted: true })).to.equal('Interrupted on embedded')
    expect(titleOf(['failed'], { verdict: 'failed', interrupted: true })).to.equal('Failed on embedded')
  })

  it('never calls a selection incomplete, and says that it is one', () => {
    expect(titleOf(['passed', 'unselected'])).to.equal('Selection passed on embedded')
    expect(headline(acceptance(['passed', 'unselected'], {})).sentence).to.contain(
      'The pool: 1 of 2 cells passed, 1 not selected in this run.',
    )
    expect(titleOf(['passed', 'unselected', 'missing'])).to.equal('Incomplete on embedded')
  })

  it('says of each family how much of it is proven', () => {
    const { sentence } = headline(acceptance(['passed', 'missing'], {}))
    expect(sentence).to.equal('The pool: 1 of 2 cells passed. Placement: not built yet.')
  })

  it('never takes what is not built yet for a gap', () => {
    expect(headline(acceptance(['passed'], {})).sentence).to.contain('Placement: not built yet.')
  })
})

interface Change {
  readonly verdict?: 'passed' | 'failed' | 'flaky'
  readonly interrupted?: boolean
}

function titleOf(verdicts: Verdict[], change: Change = {}): string {
  return headline(acceptance(verdicts, change)).title
}

function acceptance(verdicts: Verdict[], { verdict = 'passed', interrupted = false }: Change): Acceptance {
  const family = (title: string, cells: Verdict[], later: boolean) => ({
    family: { id: title, title, subject: '', criteria: [], ...(later && { status: 'later' }) } as Family,
    criteria: [
      {
        criterion: { id: 'X-1', text: '', cells: [] },
        verdict: 'passed' as const,
        cells: cells.map((each, at) => ({ name: `cell-${at}`, verdict: each, scenarios: [] })),
      },
    ],
  })
  const counts = { failed: 0, flaky: 0, missing: 0, unselected: 0, skipped: 0, passed: 0 }
  return {
    context: {
      runId: 'r',
      startedAt: '2026-03-31T12:00:00Z',
      rung: 'embedded',
      cluster: 'default',
      version: 'v1.36.2',
      capabilities: [],
      standIns: [],
      limits: { reaction: 1, step: 1 },
      kubeconfigs: [],
      implementation: '',
      reports: '',
    },
    run: { scenarios: [], failures: [], finished: true },
    matrix: {
      families: [family('The pool', verdicts, false), family('Placement', ['missing'], true)],
      scenarios: [],
      tagErrors: [],
    },
    interrupted,
    seconds: 1,
    commit: '',
    summary: { verdict, scenarios: counts, cells: counts, criteria: counts, unmet: [], problems: [] },
  }
}
