import { describe, it } from 'node:test'
import { expect } from 'chai'
import { readFamilies } from './criteria.ts'

describe('the acceptance list', () => {
  it('holds every criterion with every cell', () => {
    const counts = readFamilies().map(({ id, criteria }) => [id, criteria.map(({ cells }) => cells.length)])
    expect(counts).to.deep.equal([
      ['NP', [1, 13, 4, 1, 11, 4, 1]],
      ['EDGE', [2, 2, 7, 2, 2, 5, 5, 3, 5, 6]],
      ['AP', [7, 3, 4, 3, 4, 9, 5, 4, 4, 1, 7, 4, 2]],
      ['LAW', [11, 5, 15, 12, 9]],
    ])
  })

  it('numbers criteria without gaps and names each cell once', () => {
    for (const { id: family, criteria } of readFamilies()) {
      expect(criteria.map(({ id }) => id)).to.deep.equal(criteria.map((_, at) => `${family}-${at + 1}`))
      for (const { id, cells } of criteria) expect(new Set(cells).size, id).to.equal(cells.length)
    }
  })

  it('spells cells as tags can', () => {
    const cells = readFamilies().flatMap(({ criteria }) => criteria.flatMap((each) => each.cells))
    expect(cells.filter((cell) => !/^[a-z0-9-]+(\.[a-z0-9-]+)?$/.test(cell))).to.deep.equal([])
  })

  it('computes exactly those that no scenario can claim', () => {
    const computed = readFamilies().flatMap(({ criteria }) => criteria.filter((each) => each.computed))
    expect(computed.map(({ id }) => id)).to.deep.equal(['NP-1', 'NP-4', 'NP-7', 'AP-10'])
    for (const { cells } of computed) expect(cells).to.deep.equal(['computed'])
  })
})
