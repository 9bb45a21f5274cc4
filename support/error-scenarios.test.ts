import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ERROR_KINDS } from '../src/contract/error-codes.ts'
import { documentedCodes, ERROR_PAGE, errorScenarioGaps, renderErrorPage } from './error-scenarios.ts'

const EXAMPLE = {
  message: 'no pool in pw-0123456789 since 2026-03-31T12:00:00Z',
  scenario: 'a law',
  feature: 'features/a.feature',
}

describe('error scenarios', () => {
  it('finds what a run produced and the page lacks, and the reverse', () => {
    const page = '# Errors\n\n## PoolMissing\n\ntext\n\n## PoolEmpty\n'
    expect(errorScenarioGaps([{ code: 'PoolMissing' }, { code: 'Odd' }], page)).to.deep.equal({
      undocumented: ['Odd'],
      unproduced: ['PoolEmpty'],
    })
    expect(errorScenarioGaps([{ code: 'PoolMissing' }, { code: 'PoolEmpty' }], page)).to.deep.equal({
      undocumented: [],
      unproduced: [],
    })
  })

  it('gives every error of the contract a section, with its example freed from what differs between runs', () => {
    const page = renderErrorPage(new Map([['PoolMissing', EXAMPLE]]))
    expect(documentedCodes(page)).to.deep.equal(Object.keys(ERROR_KINDS))
    expect(page)
      .to.include('> no pool in <namespace> since <time>')
      .and.to.include('“a law” (features/a.feature)')
  })

  it('has a page that says what the contract says, and names features that exist', () => {
    const page = readFileSync(ERROR_PAGE, 'utf8')
    expect(documentedCodes(page)).to.deep.equal(Object.keys(ERROR_KINDS))
    for (const { cause, remedy } of Object.values(ERROR_KINDS))
      expect(page).to.include(cause).and.to.include(remedy)
    const features = [...page.matchAll(/\((features\/\S+)\)/g)].map(([, path]) => path ?? '')
    expect(features).not.to.be.empty
    for (const path of features)
      expect(existsSync(new URL(`../${path}`, import.meta.url)), `${path} exists`).to.equal(true)
  })
})
