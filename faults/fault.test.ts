import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { Scenario, Step } from '../support/report/model.ts'
import { parseFault } from './fault.ts'
import { judge } from './judge.ts'

const TEXT = `Fault: writes without resourceVersion
Rung: embedded
Caught-by: NP-3.interleaved, EDGE-6.entry-taken

--- a/src/pool/write.ts
+++ b/src/pool/write.ts
@@ -1 +1 @@
-a
+b
`

describe('a fault', () => {
  it('says what is broken, where, and which cells must catch it', () => {
    expect(parseFault('faults/patches/no-lock.patch', TEXT)).to.deep.include({
      name: 'no-lock',
      title: 'writes without resourceVersion',
      rung: 'embedded',
      cells: ['NP-3.interleaved', 'EDGE-6.entry-taken'],
      files: ['src/pool/write.ts'],
    })
  })

  it('is refused when a fact is missing, naming the file and the fact', () => {
    expect(() => parseFault('x.patch', TEXT.replace('Rung', 'Rang'))).to.throw(
      'x.patch: expected a line "Rung: …"',
    )
  })
})

describe('the judgement on a fault', () => {
  it('counts an assertion as caught', () => {
    expect(judge([scenario('AssertionError: expected 2 to equal 1')])).to.deep.include({ caught: true })
  })

  it('does not count a crash', () => {
    expect(judge([scenario('TypeError: x is not a function')])).to.deep.include({ caught: false })
  })

  it('does not count a green scenario, nor none at all', () => {
    expect(judge([scenario()]).caught).to.equal(false)
    expect(judge([]).caught).to.equal(false)
  })
})

function scenario(message?: string): Scenario {
  const step: Step = {
    keyword: 'Then ',
    text: 'it holds',
    hook: false,
    status: message === undefined ? 'passed' : 'failed',
    milliseconds: 1,
    ...(message !== undefined && { message }),
    attachments: [],
  }
  return {
    id: 'scenario-1',
    name: 'a law',
    feature: 'laws',
    uri: 'features/laws.feature',
    line: 1,
    tags: [],
    example: {},
    stepCount: 1,
    selected: true,
    attempts: [{ steps: [step], finished: true, startedAt: '2026-01-01T00:00:00Z', milliseconds: 1 }],
  }
}
