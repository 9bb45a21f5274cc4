import { describe, it } from 'node:test'
import { expect } from 'chai'
import { CAPABILITIES, type Capability } from '../../../src/contract/capabilities.ts'
import type { Acceptance } from '../acceptance.ts'
import { header } from './header.ts'

describe('the head of the acceptance page', () => {
  it('says what the cluster lacks, in words', () => {
    const page = headOf(['node-creation', 'windows-stand-in'])
    expect(page).to.contain(CAPABILITIES['running-pods'])
    expect(page).not.to.contain(CAPABILITIES['node-creation'])
  })

  it('says so where it lacks nothing', () => {
    expect(headOf(Object.keys(CAPABILITIES) as Capability[])).to.contain('nothing that scenarios ask for')
  })

  it('says which of somebody’s clusters it was, whatever that is called', () => {
    const page = headOf([], { rung: 'kubeconfig', kubeContext: '<lab>' })
    expect(page).to.contain('an existing cluster, context <code>&lt;lab&gt;</code>')
  })

  it('counts what was skipped, or interrupted before its turn, apart from what ran', () => {
    expect(headOf([], {}, { passed: 2, failed: 1, skipped: 3, missing: 4 })).to.contain(
      '3 scenarios run, 2 passed; 3 skipped',
    )
  })
})

function headOf(capabilities: readonly Capability[], where: object = {}, verdicts: object = {}): string {
  const counts = { failed: 0, flaky: 0, missing: 0, unselected: 0, skipped: 0, passed: 0 }
  const acceptance = {
    context: {
      runId: 'r',
      startedAt: '2026-03-31T12:00:00Z',
      rung: 'kind',
      version: 'v1',
      standIns: [],
      capabilities,
      ...where,
    },
    run: { scenarios: [] },
    matrix: { families: [] },
    summary: {
      verdict: 'passed',
      scenarios: { ...counts, ...verdicts },
      criteria: counts,
      cells: counts,
      unmet: [],
      problems: [],
    },
    seconds: 1,
  }
  return header(acceptance as unknown as Acceptance).text
}
