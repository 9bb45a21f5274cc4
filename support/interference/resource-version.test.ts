import { describe, it } from 'node:test'
import { expect } from 'chai'
import { resourceVersionIn } from './resource-version.ts'

const CASES: readonly [string, string, string | undefined][] = [
  ['an object or a merge patch', '{"metadata":{"resourceVersion":"7"}}', '7'],
  ['a JSON patch that tests it', '[{"op":"test","path":"/metadata/resourceVersion","value":"8"}]', '8'],
  ['a JSON patch that does not', '[{"op":"add","path":"/data/x","value":"8"}]', undefined],
  ['an object without one', '{"metadata":{}}', undefined],
  ['null', 'null', undefined],
  ['no JSON', '\u0000k8s', undefined],
]

describe('resourceVersion in a body', () => {
  for (const [what, body, expected] of CASES)
    it(what, () => {
      expect(resourceVersionIn(Buffer.from(body))).to.equal(expected)
    })
})
