import { describe, it } from 'node:test'
import { expect } from 'chai'
import { equal } from './access.ts'
import { NumberRangeError, parseExact } from './exact.ts'
import { countKeys, countWrittenKeys, duplicateKeys, TooDeepError } from './text-checks.ts'

describe('exact JSON', () => {
  it('writes back every int64 as it was', () => {
    for (const text of [
      '9007199254740993',
      '-9223372036854775808',
      '9223372036854775807',
      '{"a":[9007199254740995,1.5]}',
    ]) {
      expect(JSON.stringify(parseExact(text))).to.equal(text)
    }
  })

  it('refuses what no number holds instead of writing null', () => {
    expect(() => parseExact('{"a":1e400}')).to.throw(NumberRangeError, '1e400')
    expect(() => parseExact(`[${'9'.repeat(400)}]`)).to.throw(NumberRangeError)
  })

  it('tells integers apart that a double takes for the same', () => {
    expect(equal(parseExact('[9007199254740993]'), parseExact('[9007199254740993]'))).to.equal(true)
    expect(equal(parseExact('[9007199254740993]'), parseExact('[9007199254740992]'))).to.equal(false)
  })

  it('does not take an exact number for an object or the other way round', () => {
    expect(equal(parseExact('9007199254740993'), { rawJSON: '9007199254740993' })).to.equal(false)
  })
})

describe('keys in a text', () => {
  it('are counted whatever the strings contain', () => {
    const text = String.raw`{"a\"b": "x\": {\"y\":", "c" : {"d":[{"e":"\\"},"f"]}}`
    expect(countWrittenKeys(text)).to.equal(4)
    expect(countKeys(JSON.parse(text))).to.equal(4)
  })

  it('are named by their path when written twice', () => {
    expect(duplicateKeys('{"a":{"b":1,"b":2},"l":[{"x":1},{"x":1,"x":2}],"a":{}}')).to.deep.equal([
      'a.b',
      'l[1].x',
      'a',
    ])
    expect(duplicateKeys('{"a":"a","b":{"a":"b"}}')).to.deep.equal([])
  })

  it('are not looked for in nesting without end', () => {
    let value: unknown = {}
    for (let depth = 0; depth < 2000; depth++) value = { value }
    expect(() => countKeys(value)).to.throw(TooDeepError)
  })
})
