import { it } from 'node:test'
import { expect } from 'chai'
import { countStage } from './count-stage.ts'

const SUMMARY = /^\d+ passed, \d+ failed/

it('takes the numbers of the last line that counts', () => {
  const output = '7 passed, 7 failed\n✔ types: 1 passed, 0 failed\n12 passed, 3 failed, 2 skipped\nbye\n'
  expect(countStage(output, 1, SUMMARY)).to.deep.equal({ passed: 12, failed: 3 })
})

it('counts flaky scenarios as failed', () => {
  const output = 'Scenarios on embedded v1.36.3: 94 passed, 1 failed, 2 flaky (12.0 s)\nCriteria: 9 passed\n'
  expect(countStage(output, 1, /^Scenarios on /)).to.deep.equal({ passed: 94, failed: 3 })
})

it('counts a stage that says nothing as one', () => {
  expect(countStage('', 0)).to.deep.equal({ passed: 1, failed: 0 })
  expect(countStage('', 2)).to.deep.equal({ passed: 0, failed: 1 })
  expect(countStage('it broke before it counted\n', 1, SUMMARY)).to.deep.equal({ passed: 0, failed: 1 })
})

it('believes an exit code more than a count without failures', () => {
  expect(countStage('5 passed, 0 failed\n', 1, SUMMARY)).to.deep.equal({ passed: 5, failed: 1 })
  expect(countStage('5 passed, 0 failed\n', null, SUMMARY)).to.deep.equal({ passed: 5, failed: 1 })
})
