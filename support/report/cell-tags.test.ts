import { describe, it } from 'node:test'
import { expect } from 'chai'
import { claimsOf } from './cell-tags.ts'
import { readFamilies } from './criteria.ts'

const criteria = new Map(readFamilies().flatMap(({ criteria }) => criteria.map((each) => [each.id, each])))

describe('what a scenario claims to prove', () => {
  it('is the cell after the dot', () => {
    expect(claims(['@NP-2.release', '@pool'])).to.deep.equal({
      cells: [{ criterion: 'NP-2', cell: 'release' }],
      errors: [],
    })
  })

  it('is the column "cell" of an outline that carries the id alone', () => {
    const { cells, errors } = claims(['@AP-6'], { cell: 'csi.hostport', game: 'x' })
    expect(cells).to.deep.equal([{ criterion: 'AP-6', cell: 'csi.hostport' }])
    expect(errors).to.deep.equal([])
  })

  it('may be several cells', () => {
    expect(claims(['@NP-2.release', '@EDGE-10.new-to-in-use']).cells).to.have.length(2)
  })

  it('may repeat the id that stands over the whole feature', () => {
    expect(claims(['@NP-2', '@NP-2.release'])).to.deep.equal({
      cells: [{ criterion: 'NP-2', cell: 'release' }],
      errors: [],
    })
  })

  const mistakes: [string, string[], Record<string, string>, RegExp][] = [
    ['an unknown id', ['@NP-99.release'], {}, /@NP-99: no such criterion/],
    ['an unknown cell', ['@NP-2.releese'], {}, /NP-2\.releese: .* only allocate, release/],
    ['an unknown cell in a column', ['@EDGE-3'], { cell: 'nope' }, /EDGE-3\.nope/],
    ['no cell', ['@EDGE-3'], {}, /@EDGE-3: names no cell/],
    ['a computed criterion', ['@NP-1.computed'], {}, /NP-1 is computed/],
  ]
  for (const [what, tags, example, message] of mistakes) {
    it(`is refused by name when it is ${what}`, () => {
      const { cells, errors } = claims(tags, example)
      expect(cells).to.deep.equal([])
      expect(errors).to.have.length(1)
      expect(errors[0]).to.match(message)
    })
  }
})

function claims(tags: string[], example: Record<string, string> = {}) {
  return claimsOf({ tags, example }, criteria)
}
