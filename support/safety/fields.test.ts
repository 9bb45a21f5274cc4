import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { FieldChange } from './entry.ts'
import { planFields, undoFields } from './fields.ts'

const node = (labels: Record<string, string> = {}, spec: object = {}) => ({ metadata: { labels }, spec })
const settledBy = (now: Record<string, unknown>, patch: Record<string, unknown>): readonly FieldChange[] =>
  planFields(now, [], patch).settled

describe('fields of an object', () => {
  it('go back to what they were, or to not being there', () => {
    const settled = settledBy(node({ zone: 'a' }), { metadata: { labels: { zone: 'b', game: 'arena' } } })
    const { patch, left } = undoFields(node({ zone: 'b', game: 'arena', other: 'x' }), settled)
    expect(patch).to.deep.equal({ metadata: { labels: { zone: 'a', game: null } } })
    expect(left).to.deep.equal([])
  })

  it('that were removed come back', () => {
    const settled = settledBy(node({ zone: 'a' }), { metadata: { labels: { zone: null } } })
    expect(undoFields(node(), settled).patch).to.deep.equal({ metadata: { labels: { zone: 'a' } } })
  })

  it('that somebody changed since are left alone, and named', () => {
    const settled = settledBy(node(), { spec: { unschedulable: true } })
    const { patch, left } = undoFields(node({}, { unschedulable: false }), settled)
    expect(patch).to.equal(undefined)
    expect(left).to.deep.equal(['/spec/unschedulable is false, which somebody else wrote'])
  })

  it('that are so already are no change of ours', () => {
    const plan = planFields(node({}, { unschedulable: true }), [], { spec: { unschedulable: true } })
    expect(plan).to.deep.equal({ changes: false, pending: [], settled: [] })
  })

  it('changed and changed back leave nothing to undo; until that is answered either value is ours', () => {
    const first = settledBy(node(), { spec: { unschedulable: true } })
    const cordoned = node({}, { unschedulable: true })
    const plan = planFields(cordoned, first, { spec: { unschedulable: null } })
    expect(plan.settled).to.deep.equal([])
    expect(undoFields(cordoned, plan.pending).patch).to.deep.equal({ spec: { unschedulable: null } })
    expect(undoFields(node(), plan.pending).patch).to.equal(undefined)
  })

  it('seen again after a lost answer keep what they were before', () => {
    const now = node({ zone: 'a' })
    const { pending } = planFields(now, [], { metadata: { labels: { zone: 'b' } } })
    const again = planFields(node({ zone: 'b' }), pending, { metadata: { labels: { zone: 'b' } } })
    expect(again.changes).to.equal(false)
    expect(again.settled[0]?.before).to.deep.equal({ value: 'a' })
  })

  it('that somebody wrote over ours go back to what that somebody wrote', () => {
    const first = settledBy(node({ zone: 'a' }), { metadata: { labels: { zone: 'b' } } })
    const second = planFields(node({ zone: 'theirs' }), first, { metadata: { labels: { zone: 'c' } } })
    const { patch } = undoFields(node({ zone: 'c' }), second.settled)
    expect(patch).to.deep.equal({ metadata: { labels: { zone: 'theirs' } } })
  })

  it('take the maps along that were made for them, unless somebody uses those by now', () => {
    const settled = settledBy({ spec: {} }, { spec: { limits: { cpu: { most: 1 } } } })
    const mine = { limits: { cpu: { most: 1 } } }
    expect(undoFields({ spec: mine }, settled).patch).to.deep.equal({ spec: { limits: null } })
    const shared = { limits: { ...mine.limits, memory: 2 } }
    expect(undoFields({ spec: shared }, settled).patch).to.deep.equal({ spec: { limits: { cpu: null } } })
  })

  it('have names with anything in them', () => {
    const patch = JSON.parse('{"metadata":{"labels":{"a/b~c":"1","__proto__":"2"}}}')
    const settled = settledBy({}, patch)
    expect(settled.map(({ pointer }) => pointer)).to.deep.equal([
      '/metadata/labels/a~1b~0c',
      '/metadata/labels/__proto__',
    ])
    expect(undoFields(patch, settled).patch).to.deep.equal({ metadata: null })
  })
})
