import { describe, it } from 'node:test'
import { expect } from 'chai'
import { control } from './control/control.ts'
import { loadVectors } from './load-vectors.ts'
import { OWN_RECORDINGS } from './own-recordings.ts'
import { embeddedServer } from './replay/embedded.ts'
import { replay } from './replay/replay.ts'

const LIMIT_MS = 110_000

describe('the embedded cluster against the recordings of Kubernetes', async () => {
  const outcomes = await replay(await loadVectors(OWN_RECORDINGS, { family: 'api' }), {
    source: embeddedServer(),
    signal: AbortSignal.timeout(LIMIT_MS),
    later: false,
    progress: () => undefined,
  })
  const promised = outcomes.filter(({ later }) => later === undefined)

  for (const { category, vector, failures } of promised)
    it(`${category}: ${vector.name}`, () => {
      expect(failures).to.deep.equal([])
    })

  it('all of the first storey is among them', () => {
    expect(promised).to.have.length(75)
  })

  it('tells each recorded answer with one value changed from the real one', () => {
    const { tried, missed } = control(outcomes)
    expect(missed).to.deep.equal([])
    const kinds = [
      'uid',
      'rv',
      'listrv',
      'continue',
      'time',
      'age',
      'suffix',
      'string',
      'number',
      'boolean',
      'null',
      'absent',
    ]
    expect(Object.keys(tried)).to.include.members(kinds)
  })
})
