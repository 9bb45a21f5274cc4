import { describe, it } from 'node:test'
import { expect } from 'chai'
import { SelectorError } from './label-lexer.ts'
import { parseLabelSelector } from './labels.ts'

const labels = { env: 'dev', tier: 'x', n: '30' }

describe('label selectors', () => {
  it('select as kubectl users expect', () => {
    const cases: Record<string, boolean> = {
      '': true,
      env: true,
      '!env': false,
      'env=dev,tier!=y': true,
      'env in (dev, test)': true,
      'env notin (dev)': false,
      'absent notin (a)': true,
      'absent!=a': true,
      'n>5': true,
      'n<5': false,
      'env>5': false,
      constructor: false,
    }
    for (const [selector, expected] of Object.entries(cases)) {
      expect(parseLabelSelector(selector)(labels), selector).to.equal(expected)
    }
  })

  it('refuse what cannot be read, and say where', () => {
    const cases: Record<string, string> = {
      'env in dev': "unable to parse requirement: found 'dev' expected: '('",
      'a=b=c': "found '=', expected: ',' or 'end of string'",
      'a b': "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
      'a,': "found '', expected: identifier after ','",
      'n>x': "values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    }
    for (const [selector, message] of Object.entries(cases)) {
      expect(() => parseLabelSelector(selector), selector).to.throw(SelectorError, message)
    }
  })
})
