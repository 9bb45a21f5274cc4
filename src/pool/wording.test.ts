import { describe, it } from 'node:test'
import { expect } from 'chai'
import { readEntry } from './entry.ts'
import { entry, failure, held, open } from './pool-fixture.ts'

const found = (text: string): string => {
  const read = readEntry('192.0.2.1', text)
  return 'malformed' in read ? read.malformed.found : 'well-formed'
}

describe('what the pool says', () => {
  it('counts one entry as one', async () => {
    const one = open({ '192.0.2.1': held('other') })
    const { message } = await failure(one.pool.allocate({ testId: 't' }), 'NoneAvailable')
    expect(message).to.match(
      /^ConfigMap windows\/pool has 1 entry and no node to give: 1 because it is in-use/,
    )
    const two = open({ '192.0.2.1': held('other'), '192.0.2.2': held('other') })
    const { message: plural } = await failure(two.pool.allocate({ testId: 't' }), 'NoneAvailable')
    expect(plural).to.match(/has 2 entries and no node to give: 2 because/)
  })

  it('names the character that a line of text may not have', async () => {
    expect(found(entry({ username: '"a\\tb"' }))).to.equal('"a\\tb", with the character U+0009')
    expect(found(entry({ platform: '"a\\nb"' }))).to.equal('"a\\nb", with the character U+000A')
    const host = { address: '192.0.2.2', username: 'u', platform: 'a\tb', addressType: 'ip' } as const
    const { message } = await failure(open({}).pool.add(host), 'InvalidRequest')
    expect(message).to.equal('The platform "a\\tb" has the character U+0009; expected one line of text.')
    const half = await failure(open({}).pool.add({ ...host, platform: '\ud800' }), 'InvalidRequest')
    expect(half.message).to.match(/has half a surrogate pair/)
  })

  it('gives a reader of the entry no advice for whoever calls the YAML parser', () => {
    expect(found(`${entry()}---\n${entry()}`)).to.equal('more than one YAML document')
    expect(found('status: {')).to.match(/^not YAML at character \d+: /)
  })
})
