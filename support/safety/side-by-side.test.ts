import { describe, it } from 'node:test'
import { expect } from 'chai'
import { inGoodOrder, maySideBySide } from './side-by-side.ts'

const scenario = (...names: string[]) => ({ tags: names.map((name) => ({ name })) })
const POOL = scenario('@pool')
const PODS = scenario('@needs-running-pods')
const DRILL = scenario('@needs-running-pods', '@changes-cluster')
const NODES = scenario('@needs-node-creation', '@changes-cluster')
const ALONE = scenario('@needs-running-pods', '@alone')
const HOSTS = scenario('@needs-windows-stand-in', '@changes-windows-hosts')
const BOTH = scenario('@changes-windows-hosts', '@changes-cluster')

describe('scenarios side by side on one cluster', () => {
  it('are those that leave the nodes as they are, and those that need none', () => {
    for (const next of [POOL, PODS]) expect(maySideBySide(next, [POOL, PODS, PODS])).to.equal(true)
  })

  it('are not those that change nodes, or take all of something, beside whose pods are there', () => {
    for (const next of [DRILL, ALONE, NODES]) {
      expect(maySideBySide(next, [POOL])).to.equal(true)
      for (const other of [PODS, DRILL, ALONE, NODES])
        expect(maySideBySide(next, [POOL, other])).to.equal(false)
    }
  })

  it('are those that change Windows hosts, whatever the nodes are to the others', () => {
    for (const other of [POOL, PODS, DRILL]) {
      expect(maySideBySide(HOSTS, [other])).to.equal(true)
      expect(maySideBySide(other, [HOSTS])).to.equal(true)
    }
    expect(maySideBySide(BOTH, [DRILL])).to.equal(false)
  })

  it('are one that changes Windows hosts and one that waits for them, which has nothing else meanwhile', () => {
    for (const other of [HOSTS, BOTH]) expect(maySideBySide(HOSTS, [POOL, other])).to.equal(true)
    expect(maySideBySide(HOSTS, [HOSTS, HOSTS])).to.equal(false)
    expect(maySideBySide(BOTH, [HOSTS])).to.equal(false)
  })

  it('are no pods beside a scenario that has the nodes alone', () => {
    for (const other of [DRILL, ALONE]) expect(maySideBySide(PODS, [other])).to.equal(false)
  })
})

it('scenarios that keep others from beginning come first, else as they were', () => {
  const others = [scenario('@pool', '@one'), scenario('@pool', '@two')]
  expect(inGoodOrder([HOSTS, ...others, DRILL, PODS, ALONE, BOTH])).to.deep.equal([
    PODS,
    DRILL,
    ALONE,
    BOTH,
    HOSTS,
    ...others,
  ])
})
