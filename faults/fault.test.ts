import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { readFamilies } from '../support/report/criteria.ts'
import type { Scenario, Step } from '../support/report/model.ts'
import { parseFault, readFaults } from './fault.ts'
import { judge } from './judge.ts'
import { concerns } from './selection.ts'

const TEXT = `Fault: writes without resourceVersion
Rung: embedded
Caught-by: NP-3.interleaved, EDGE-6.entry-taken

--- a/src/pool/write.ts
+++ b/src/pool/write.ts
@@ -1 +1 @@
-a
+b
`

const GUARD = TEXT.replace(
  /Caught-by: .*/,
  'Caught-by: test support/safety/a.test.ts "keeps, of all, what’s ours"',
).replaceAll('src/pool/write.ts', 'support/safety/a.ts')

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

  it('says which tests must catch it, besides cells or alone', () => {
    const test = { file: 'support/safety/a.test.ts', name: 'keeps, of all, what’s ours' }
    expect(parseFault('x.patch', GUARD)).to.deep.include({ cells: [], tests: [test] })
    const both = TEXT.replace(
      'EDGE-6.entry-taken',
      'test src/pool/a.test.ts "a", test src/pool/b.test.ts "b"',
    )
    expect(parseFault('x.patch', both)).to.deep.include({
      cells: ['NP-3.interleaved'],
      tests: [
        { file: 'src/pool/a.test.ts', name: 'a' },
        { file: 'src/pool/b.test.ts', name: 'b' },
      ],
    })
    for (const wrong of ['test src/pool/a.test.ts', 'test src/pool/a.ts "a"', 'NP-3.interleaved "a"'])
      expect(
        () => parseFault('x.patch', TEXT.replace(/Caught-by: .*/, `Caught-by: ${wrong}`)),
        wrong,
      ).to.throw(`found "${wrong}"`)
  })

  it('of what keeps clusters as they were is for tests alone to catch, since scenarios run without the patch', () => {
    expect(() =>
      parseFault('x.patch', TEXT.replaceAll('src/pool/write.ts', 'support/drain/evict.ts')),
    ).to.throw('support/drain/evict.ts, which a test must catch')
  })

  it('breaks the product, never the suite', () => {
    for (const file of [
      'support/safety/a.test.ts',
      'support/drain/scripted-node.ts',
      'steps/pool.ts',
      'support/world.ts',
      'src/pool/write.test.ts',
      'src/contract/pool.ts',
    ])
      expect(() => parseFault('x.patch', GUARD.replaceAll('support/safety/a.ts', file))).to.throw(
        `patches ${file}, which is no part`,
      )
  })
})

describe('the entries', () => {
  const entries = readFaults(fileURLToPath(new URL('patches', import.meta.url)))

  it('between them put every criterion to the test that scenarios of the node pool prove', () => {
    const proven = readFamilies()
      .flatMap(({ criteria }) => criteria)
      .filter(({ id, computed }) => /^(NP|EDGE)-/.test(id) && !computed)
    const named = new Set(entries.flatMap(({ cells }) => cells.map((cell) => cell.split('.')[0])))
    expect([...named]).to.include.members(proven.map(({ id }) => id))
  })

  it('put to the test what keeps clusters as they were: the safety core, the drain, the lint', () => {
    const files = entries.flatMap((entry) => entry.files)
    for (const folder of ['support/safety/', 'support/drain/', 'bin/lint/'])
      expect(
        files.some((file) => file.startsWith(folder)),
        folder,
      ).to.equal(true)
  })

  it('name cells of the acceptance list and tests that are there, and each says something of its own', () => {
    const cells = readFamilies().flatMap(({ criteria }) =>
      criteria.flatMap(({ id, cells }) => cells.map((cell) => `${id}.${cell}`)),
    )
    for (const entry of entries) expect(cells, entry.name).to.include.members([...entry.cells])
    const root = fileURLToPath(new URL('..', import.meta.url))
    for (const { name, tests } of entries)
      for (const { file } of tests) expect(existsSync(join(root, file)), `${name}: ${file}`).to.equal(true)
    expect(new Set(entries.map(({ title }) => title)).size).to.equal(entries.length)
  })
})

describe('what a changed file concerns', () => {
  it('is each fault whose patch, or a file that it patches, has changed', () => {
    const fault = parseFault('faults/patches/no-lock.patch', TEXT)
    expect(concerns(fault, new Set(['src/pool/write.ts', 'README.md']))).to.equal(true)
    expect(concerns(fault, new Set(['faults/patches/no-lock.patch']))).to.equal(true)
    expect(concerns(fault, new Set(['src/pool/read.ts', 'faults/patches/other.patch']))).to.equal(false)
  })

  it('is also each fault that a changed test must catch', () => {
    const fault = parseFault('x.patch', GUARD)
    expect(concerns(fault, new Set(['support/safety/a.test.ts']))).to.equal(true)
    expect(concerns(fault, new Set(['support/safety/b.test.ts']))).to.equal(false)
  })
})

describe('the judgement on a fault', () => {
  it('counts an assertion of what must hold as caught, in the words of that assertion', () => {
    expect(judge([scenario(step('Then ', ASSERTION))])).to.deep.equal({
      caught: true,
      by: 'a law',
      assertion: 'AssertionError: expected 2 to equal 1',
    })
    expect(judge([scenario(step('Then '), step('And ', ASSERTION))]).caught).to.equal(true)
  })

  it('does not count a crash or a time-out', () => {
    const crash = judge([scenario(step('Then ', 'TypeError: x is not a function'))])
    expect(crash).to.deep.include({ caught: false }).and.to.have.property('why').that.includes('TypeError')
    expect(judge([scenario(step('Then ', 'Error: function timed out'))]).caught).to.equal(false)
    expect(judge([scenario(step('Then ', 'Error: AssertionError is only mentioned'))]).caught).to.equal(false)
  })

  it('does not count what could not be arranged or done', () => {
    expect(judge([scenario(step('Given ', ASSERTION))]).caught).to.equal(false)
    expect(judge([scenario(step('Given '), step('And ', ASSERTION))]).caught).to.equal(false)
    expect(judge([scenario(step('When ', ASSERTION))]).caught).to.equal(false)
  })

  it('does not count the complaint of a hook', () => {
    const hook = { ...step('', ASSERTION), hook: true }
    expect(judge([scenario(step('Then '), hook)]).caught).to.equal(false)
  })

  it('does not count a green scenario, nor none at all', () => {
    expect(judge([scenario(step('Then '))]).caught).to.equal(false)
    expect(judge([]).caught).to.equal(false)
  })

  it('looks past the crash of one scenario for the assertion of another', () => {
    const crashed = scenario(step('When ', 'Error: gone'))
    expect(judge([crashed, scenario(step('Then ', ASSERTION))]).caught).to.equal(true)
  })
})

/** As Cucumber writes it for chai: the name first, then the message and the difference. */
const ASSERTION = 'AssertionError: expected 2 to equal 1\n    + expected - actual\n'

function step(keyword: string, message?: string): Step {
  return {
    keyword,
    text: 'it holds',
    hook: false,
    status: message === undefined ? 'passed' : 'failed',
    milliseconds: 1,
    ...(message !== undefined && { message }),
    attachments: [],
  }
}

function scenario(...steps: readonly Step[]): Scenario {
  return {
    id: 'scenario-1',
    name: 'a law',
    feature: 'laws',
    uri: 'features/laws.feature',
    line: 1,
    tags: [],
    example: {},
    stepCount: steps.length,
    selected: true,
    attempts: [{ steps, finished: true, startedAt: '2026-01-01T00:00:00Z', milliseconds: 1 }],
  }
}
