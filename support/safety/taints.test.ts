import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { Taint } from './entry.ts'
import { type OurTaints, planTaints, planUntaint, undoTaints } from './taints.ts'

const NONE: OurTaints = { added: [], removed: [] }
const ours: Taint = { key: 'game', value: 'arena', effect: 'NoSchedule' }
const theirs: Taint = { key: 'disk', value: 'slow', effect: 'NoExecute', timeAdded: '2026-03-31T12:00:00Z' }
const planted: Taint = { key: 'autoscaler', effect: 'NoSchedule' }

describe('taints of a node, which is one list for all', () => {
  it('lose ours alone, whatever was planted meanwhile', () => {
    const { next, settled } = planTaints([theirs], NONE, [ours])
    expect(next).to.deep.equal([theirs, ours])
    expect(undoTaints([planted, ours, theirs], settled)).to.deep.equal({ next: [planted, theirs], left: [] })
  })

  it('get back what was removed, whole, with the time at which it was added', () => {
    const { next, settled } = planUntaint([theirs, planted], NONE, ['disk'])
    expect(next).to.deep.equal([planted])
    expect(undoTaints([planted], settled).next).to.deep.equal([planted, theirs])
  })

  it('get back what ours replaced', () => {
    const before = { ...ours, value: 'lobby' }
    const { next, settled } = planTaints([before], NONE, [ours])
    expect(next).to.deep.equal([ours])
    expect(undoTaints([ours], settled).next).to.deep.equal([before])
  })

  it('keep what somebody made of ours, and say so', () => {
    const { settled } = planTaints([], NONE, [ours])
    const changed = { ...ours, value: 'other' }
    expect(undoTaints([changed], settled)).to.deep.equal({
      next: undefined,
      left: ['taint game=other:NoSchedule is somebody else’s by now'],
    })
  })

  it('keep what was removed by us and is there again in another form', () => {
    const { settled } = planUntaint([theirs], NONE, ['disk:NoExecute'])
    const again = { ...theirs, value: 'gone' }
    expect(undoTaints([again], settled).next).to.equal(undefined)
  })

  it('that were there already are not ours, and stay', () => {
    const { next, settled } = planTaints([ours], NONE, [ours])
    expect(next).to.equal(undefined)
    expect(settled).to.deep.equal(NONE)
  })

  it('that we add and remove again leave nothing to undo', () => {
    const added = planTaints([theirs], NONE, [ours])
    const removed = planUntaint(added.next ?? [], added.settled, ['game'])
    expect(removed.next).to.deep.equal([theirs])
    expect(removed.settled).to.deep.equal(NONE)
    // Until the write is answered it may still be there.
    expect(undoTaints([ours, theirs], removed.pending).next).to.deep.equal([theirs])
  })

  it('that we remove and add again are as they were, and leave nothing to undo', () => {
    const removed = planUntaint([theirs], NONE, ['disk'])
    const { timeAdded: _, ...same } = theirs
    const added = planTaints(removed.next ?? [], removed.settled, [same])
    expect(added.next).to.deep.equal([theirs])
    expect(added.settled).to.deep.equal(NONE)
    expect(undoTaints([theirs], added.pending).next).to.equal(undefined)
  })

  it('that we change twice are undone from either value while the write is under way', () => {
    const first = planTaints([], NONE, [ours])
    const second = planTaints(first.next ?? [], first.settled, [{ ...ours, value: 'lobby' }])
    for (const value of ['arena', 'lobby'])
      expect(undoTaints([{ ...ours, value }], second.pending).next, value).to.deep.equal([])
    expect(second.settled.added).to.deep.equal([{ ...ours, value: 'lobby' }])
  })

  it('undone once are not undone again', () => {
    const { settled } = planUntaint([theirs], planTaints([theirs], NONE, [ours]).settled, ['disk'])
    expect(undoTaints([theirs], settled)).to.deep.equal({ next: undefined, left: [] })
  })
})
