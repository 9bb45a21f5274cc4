import { describe, it } from 'node:test'
import { expect } from 'chai'
import { producedErrors } from './computed-criteria.ts'
import { readFamilies } from './criteria.ts'
import { buildMatrix } from './matrix.ts'
import { ERROR_MEDIA_TYPE } from './media-types.ts'
import type { RunRecord, Scenario, StepStatus } from './model.ts'

const AGREED = { undocumented: [], unproduced: [] }

describe('computed criteria', () => {
  it('pass when everything they stand on passed', () => {
    expect(verdictsOf(complete('passed'))).to.deep.equal({
      'NP-1': ['passed', '73 of 73 cells passed'],
      'NP-4': ['passed', '39 of 39 cells passed'],
      'NP-7': ['passed', undefined],
    })
  })

  it('are failed by one failure', () => {
    const verdicts = verdictsOf(complete('passed', { 'EDGE-9.ipv6': 'failed' }))
    expect(verdicts['NP-4']).to.deep.equal(['failed', '38 of 39 cells passed, 1 failed'])
    expect(verdicts['NP-1']?.[0]).to.equal('failed')
  })

  it('look only at the family that they name', () => {
    const verdicts = verdictsOf(complete('passed', { 'NP-2.release': 'failed' }))
    expect(verdicts['NP-4']?.[0]).to.equal('passed')
    expect(verdicts['NP-1']?.[0]).to.equal('failed')
  })

  it('are missing where a cell has no scenario', () => {
    const { scenarios, ...run } = complete('passed')
    const without = scenarios.filter(({ tags }) => !tags.includes('@EDGE-8.n5000'))
    const verdicts = verdictsOf({ ...run, scenarios: without })
    expect(verdicts['NP-4']).to.deep.equal(['missing', '38 of 39 cells passed, 1 missing'])
  })

  it('are not selected where a cell has a scenario that this run left out', () => {
    const { scenarios, ...run } = complete('passed')
    const selection = scenarios.map((scenario) =>
      scenario.tags.includes('@EDGE-8.n5000') ? { ...scenario, selected: false, attempts: [] } : scenario,
    )
    const verdicts = verdictsOf({ ...run, scenarios: selection }, { undocumented: [], unproduced: ['Rare'] })
    expect(verdicts['NP-4']).to.deep.equal(['unselected', '38 of 39 cells passed, 1 not selected'])
    expect(verdicts['NP-7']?.[0]).to.equal('unselected')
  })

  it('fail an error that no page documents, and miss one that nothing produced', () => {
    const undocumented = verdictsOf(complete('passed'), { undocumented: ['Odd'], unproduced: ['Rare'] })
    expect(undocumented['NP-7']).to.deep.equal(['failed', 'produced, but not documented: Odd'])
    const unproduced = verdictsOf(complete('passed'), { undocumented: [], unproduced: ['Rare'] })
    expect(unproduced['NP-7']?.[0]).to.equal('missing')
    expect(unproduced['NP-1']?.[0]).to.equal('missing')
  })
})

describe('errors that a run produced', () => {
  it('are read from attachments, alone or in lists, and nothing else is', () => {
    const bodies = [
      '{"code":"PoolEmpty","message":"m"}',
      '[{"code":"A","message":"b"},{"code":1}]',
      'not json',
      '7',
    ]
    const attachments = bodies.map((body) => ({ mediaType: ERROR_MEDIA_TYPE, body, binary: false }))
    const other = { mediaType: 'application/json', body: '{"code":"X","message":"y"}', binary: false }
    const [scenario] = complete('passed').scenarios
    const attempts = (scenario?.attempts ?? []).map((attempt) => ({
      ...attempt,
      steps: attempt.steps.map((step) => ({ ...step, attachments: [...attachments, other] })),
    }))
    const run = { scenarios: [{ ...(scenario as Scenario), attempts }], failures: [], finished: true }
    expect(producedErrors(run).map(({ code }) => code)).to.deep.equal(['PoolEmpty', 'A'])
  })
})

/** A run with one scenario for every cell of the node pool. */
function complete(status: StepStatus, others: Record<string, StepStatus> = {}): RunRecord {
  const cells = readFamilies()
    .filter(({ id }) => id !== 'AP')
    .flatMap(({ criteria }) => criteria.filter((each) => !each.computed))
    .flatMap(({ id, cells }) => cells.map((cell) => `${id}.${cell}`))
  const scenarios = cells.map((cell, index) => scenarioOf(cell, index, others[cell] ?? status))
  return { scenarios, failures: [], finished: true }
}

function scenarioOf(cell: string, index: number, status: StepStatus): Scenario {
  const step = { keyword: 'When ', text: 'it acts', hook: false, status, milliseconds: 1, attachments: [] }
  const attempt = { steps: [step], finished: true, startedAt: '2026-03-31T12:00:00Z', milliseconds: 1 }
  const place = { id: `s${index}`, name: cell, feature: 'f', uri: 'a.feature', line: index }
  return { ...place, tags: [`@${cell}`], example: {}, stepCount: 1, selected: true, attempts: [attempt] }
}

function verdictsOf(run: RunRecord, errorGaps: { undocumented: string[]; unproduced: string[] } = AGREED) {
  const matrix = buildMatrix(readFamilies(), run, { interrupted: false, errorGaps })
  const criteria = matrix.families.flatMap((family) => family.criteria)
  const wanted = criteria.filter(({ criterion }) => ['NP-1', 'NP-4', 'NP-7'].includes(criterion.id))
  return Object.fromEntries(
    wanted.map(({ criterion, verdict, cells }) => [criterion.id, [verdict, cells[0]?.reason]]),
  )
}
