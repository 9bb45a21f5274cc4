import { describe, it } from 'node:test'
import { expect } from 'chai'
import { admits } from './segment.ts'
import type { NodeSelectorTerm } from './volume.ts'

const where = (...nodeSelectorTerms: NodeSelectorTerm[]) => ({
  nodeAffinity: { required: { nodeSelectorTerms } },
})
const zone = (operator: string, ...values: string[]) => ({ key: 'zone', operator, values })

describe('a segment', () => {
  it('is every node where nothing is said', () => {
    expect(admits({}, {})).to.equal(true)
  })

  it('has the nodes for which all expressions of one term hold', () => {
    const volume = where(
      { matchExpressions: [zone('In', 'a', 'b'), { key: 'disk', operator: 'Exists' }] },
      { matchExpressions: [zone('In', 'c')] },
    )
    expect(admits(volume, { zone: 'a' })).to.equal(false)
    expect(admits(volume, { zone: 'a', disk: '' })).to.equal(true)
    expect(admits(volume, { zone: 'c' })).to.equal(true)
    expect(admits(volume, { disk: '' })).to.equal(false)
  })

  it('has no node where a term says nothing', () => {
    expect(admits(where({}), { zone: 'a' })).to.equal(false)
  })

  it('may be told by what a node is not', () => {
    expect(admits(where({ matchExpressions: [zone('NotIn', 'a')] }), { zone: 'a' })).to.equal(false)
    expect(admits(where({ matchExpressions: [zone('NotIn', 'a')] }), {})).to.equal(true)
    expect(admits(where({ matchExpressions: [zone('DoesNotExist')] }), { zone: 'a' })).to.equal(false)
    expect(() => admits(where({ matchExpressions: [zone('Gt', '1')] }), {})).to.throw('"Gt" of label zone')
  })
})
