import { describe, it } from 'node:test'
import { expect } from 'chai'
import { maySideBySide } from './side-by-side.ts'

const scenario = (...names: string[]) => ({ tags: names.map((name) => ({ name })) })
const POOL = scenario('@pool')
const PODS = scenario('@needs-running-pods')
const DRILL = scenario('@needs-running-pods', '@changes-cluster')
const HOSTS = scenario('@needs-windows-stand-in', '@changes-cluster')
const ALONE = scenario('@needs-running-pods', '@alone')

describe('scenarios side by side on one cluster', () => {
  it('are those that leave the nodes as they are, and those that need none', () => {
    for (const next of [POOL, PODS]) expect(maySideBySide(next, [POOL, PODS, PODS])).to.equal(true)
  })

  it('are not those that change nodes, or take all of something, beside whose pods are there', () => {
    for (const next of [DRILL, ALONE]) {
      expect(maySideBySide(next, [POOL])).to.equal(true)
      for (const other of [PODS, DRILL, ALONE]) expect(maySideBySide(next, [POOL, other])).to.equal(false)
    }
  })

  it('are none beside a scenario that changes the Nodes which allocations look at', () => {
    for (const other of [POOL, PODS, DRILL, HOSTS]) {
      expect(maySideBySide(HOSTS, [other])).to.equal(false)
      expect(maySideBySide(other, [HOSTS])).to.equal(false)
    }
    expect(maySideBySide(HOSTS, [])).to.equal(true)
  })

  it('are no pods beside a scenario that has the nodes alone', () => {
    for (const other of [DRILL, ALONE]) expect(maySideBySide(PODS, [other])).to.equal(false)
  })
})
