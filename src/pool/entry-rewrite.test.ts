import { describe, it } from 'node:test'
import { expect } from 'chai'
import { parse } from 'yaml'
import { rewriteEntry } from './entry-rewrite.ts'
import { readEntryText } from './entry-text.ts'
import { dice, hostileText, pick } from './hostile-text.ts'
import { readPlainMapping } from './plain-mapping.ts'
import { writeScalar } from './scalar-text.ts'

const TAKEN = {
  status: 'in-use',
  'test-id': 't',
  'allocated-at': '2026-01-01T00:00:00Z',
  'last-updated': '2026-01-01T00:00:00Z',
}
const FREE = { status: 'available', 'test-id': '', 'allocated-at': '' }

describe('rewriting an entry', () => {
  const cases: readonly [what: string, before: string, after: string][] = [
    [
      'keeps comments, blank lines and unknown fields',
      '# rack 7\n\nstatus: available   # checked\nusername: u\nserial: 0042\ntest-id: # none\nallocated-at:\nlast-updated: x # y\n',
      '# rack 7\n\nstatus: in-use   # checked\nusername: u\nserial: 0042\ntest-id: t # none\nallocated-at: 2026-01-01T00:00:00Z\nlast-updated: 2026-01-01T00:00:00Z # y\n',
    ],
    [
      'keeps CRLF and tabs',
      'status:\tavailable\t\r\ntest-id:\t\r\nallocated-at:\r\nlast-updated: x\r\n',
      'status:\tin-use\t\r\ntest-id: t\t\r\nallocated-at: 2026-01-01T00:00:00Z\r\nlast-updated: 2026-01-01T00:00:00Z\r\n',
    ],
    [
      'keeps quoting',
      `"status": "available"\n'test-id': ''\nallocated-at: ""\nlast-updated: 'x'\n`,
      `"status": "in-use"\n'test-id': 't'\nallocated-at: "2026-01-01T00:00:00Z"\nlast-updated: '2026-01-01T00:00:00Z'\n`,
    ],
    [
      'adds missing fields below the last line, indented and ended like it',
      '  status: available\r\n  note: |\r\n    a\r\n',
      '  status: in-use\r\n  test-id: t\r\n  allocated-at: 2026-01-01T00:00:00Z\r\n  last-updated: 2026-01-01T00:00:00Z\r\n  note: |\r\n    a\r\n',
    ],
    [
      'adds a line to a text that ends without one',
      'status: available',
      'status: in-use\ntest-id: t\nallocated-at: 2026-01-01T00:00:00Z\nlast-updated: 2026-01-01T00:00:00Z',
    ],
    [
      'keeps JSON JSON',
      '{"status":"available","test-id":"","n":1}',
      '{"status":"in-use", "allocated-at": "2026-01-01T00:00:00Z", "last-updated": "2026-01-01T00:00:00Z","test-id":"t","n":1}',
    ],
    [
      'keeps a flow mapping one',
      '{status: available, test-id: , allocated-at: , last-updated: x}',
      '{status: in-use, test-id: t , allocated-at: 2026-01-01T00:00:00Z , last-updated: 2026-01-01T00:00:00Z}',
    ],
    [
      'replaces a block scalar by a line',
      'status: |-\n  available\ntest-id: >\n  old\n  one\nallocated-at:\nlast-updated:\n',
      'status: in-use\ntest-id: t\nallocated-at: 2026-01-01T00:00:00Z\nlast-updated: 2026-01-01T00:00:00Z\n',
    ],
  ]
  for (const [what, before, after] of cases)
    it(what, () => {
      expect(rewriteEntry(before, TAKEN)).to.equal(after)
    })

  it('gives the first text back when what was set is cleared', () => {
    for (const text of [
      'status: available\ntest-id:\nallocated-at: # when\n',
      'status: available\ntest-id: \nallocated-at:\t\n',
    ]) {
      const taken = rewriteEntry(text, { ...FREE, status: 'in-use', 'test-id': 't', 'allocated-at': 'x' })
      expect(rewriteEntry(taken ?? '', FREE)).to.equal(text)
    }
  })

  it('refuses a text that has no safe place', () => {
    expect(rewriteEntry('status: available\ntest-id: &anchor\n', { 'test-id': 't' })).to.equal(undefined)
    expect(rewriteEntry('? status\n: available\n? test-id\n', { 'test-id': 't' })).to.equal(undefined)
  })

  it('reads back any value in any kind of entry, and touches no other line', () => {
    const roll = dice(20261130)
    for (let round = 0; round < 400; round++) {
      const lineEnd = pick(roll, ['\n', '\r\n'])
      const untouched = [
        `# ${round} ${pick(roll, ['a: b', '"', '*x', ''])}`,
        `serial: ${pick(roll, ['0042', '"q: #"', "'s'", '[1, 2]'])} # kept`,
      ]
      const lines = [
        ...untouched,
        'status: available',
        pick(roll, ['test-id:', 'test-id: # c', 'test-id: ""', "test-id: 'a'", 'test-id: plain', 'note: x']),
      ]
      const text =
        lines.toSorted(() => roll() - 0.5).join(lineEnd) + pick(roll, [lineEnd, '', lineEnd + lineEnd])
      const value = hostileText(roll)
      const rewritten = rewriteEntry(text, { 'test-id': value })
      expect(rewritten, JSON.stringify(text)).to.be.a('string')
      expect(readEntryText(rewritten ?? '').values['test-id']).to.equal(value)
      const kept = (rewritten ?? '').split(lineEnd)
      for (const line of untouched) expect(kept).to.include(line)
    }
  })
})

describe('writing a scalar', () => {
  it('is read back the same by YAML 1.1 and 1.2, whatever it holds', () => {
    const roll = dice(7)
    for (let round = 0; round < 400; round++) {
      const value = hostileText(roll)
      for (const style of ['plain', 'single', 'double'] as const)
        for (const version of ['1.1', '1.2'] as const)
          expect(
            parse(`a: ${writeScalar(value, style)}\nb: c\n`, { version }),
            JSON.stringify(value),
          ).to.deep.equal({ a: value, b: 'c' })
    }
  })

  it('quotes what another reader would retype', () => {
    for (const word of [
      'no',
      'yes',
      'on',
      'null',
      'true',
      '0123',
      '1e3',
      '0x1F',
      '1_000',
      '12:30:00',
      '2026-03-31',
      'y',
    ])
      expect(writeScalar(word, 'plain')).to.equal(`"${word}"`)
  })
})

describe('the everyday form', () => {
  it('reads as YAML does, or leaves it to YAML', () => {
    const roll = dice(42)
    const names = ['status', 'username', 'test-id', 'x', 'Status', 'a b']
    const values = [
      '',
      ' ',
      ' available',
      ' a:b',
      ' a: b',
      ' a:',
      ' a#b',
      ' a #b',
      ' 1e3',
      ' no',
      ' -',
      ' a ',
      '  a',
      ' "q"',
      ' a,b',
      ' a/b@c+d',
      ' [',
      '\ta',
    ]
    let read = 0
    for (let round = 0; round < 4_000; round++) {
      const count = 1 + Math.floor(roll() * 3)
      const text = Array.from(
        { length: count },
        () => `${pick(roll, names)}:${pick(roll, values)}${pick(roll, ['\n', '\n', '\n', '\r\n', ''])}`,
      ).join('')
      const plain = readPlainMapping(text)
      if (!plain) continue
      read++
      const byYaml: unknown = parse(text, { schema: 'failsafe' })
      expect(Object.fromEntries(plain), JSON.stringify(text)).to.deep.equal(byYaml)
    }
    expect(read).to.be.greaterThan(100)
  })
})
