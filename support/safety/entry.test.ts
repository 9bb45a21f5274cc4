import { describe, it } from 'node:test'
import { expect } from 'chai'
import { EntryError, parseEntry, printEntry } from './entry.ts'
import { thisHolder } from './holder.ts'

const entry = {
  version: 1,
  run: '20260331-120000-1f2e3d',
  scenario: 'pw-0123456789',
  at: '2026-03-31T12:00:00.000Z',
  holder: thisHolder('20260331-120000-1f2e3d', '0'),
  target: { path: '/api/v1/nodes/worker-1', kind: 'Node', name: 'worker-1', uid: 'u-1' },
  change: {
    kind: 'taints',
    added: [{ key: 'a', effect: 'NoSchedule' }],
    removed: [{ key: 'b', value: '1', effect: 'NoExecute', timeAdded: '2026-03-31T12:00:00Z' }],
  },
} as const

const parse = (change: object): unknown => parseEntry(JSON.stringify({ ...entry, ...change }))
/** Of a change that every object may have, so that the target alone is what is wrong with it. */
const target = (path: string, name: string) => ({
  target: { ...entry.target, path, name },
  change: { kind: 'created' },
})

describe('an entry of the journal', () => {
  it('is read as it was written', () => {
    expect(parseEntry(printEntry(entry))).to.deep.equal(entry)
    const field = { pointer: '/spec/a~1b/c', before: {}, ours: [{ value: null }, {}], made: '/spec/a~1b' }
    for (const change of [
      { kind: 'fields', fields: [field] },
      { kind: 'created' },
      { kind: 'node-operation', operation: 'kill' },
    ])
      expect(parse({ change }), change.kind).to.deep.equal({ ...entry, change })
  })

  for (const [what, change] of Object.entries({
    'of another version': { version: 2 },
    'without a holder': { holder: { run: 'x' } },
    'of an object in a namespace': target('/api/v1/namespaces/kube-system/secrets/token', 'token'),
    'of a subresource': target('/api/v1/nodes/worker-1/status', 'status'),
    'with a query': target('/api/v1/nodes/worker-1?dryRun=All', 'worker-1?dryRun=All'),
    'that climbs': target('/api/v1/nodes/..', '..'),
    'with another name than its path': target('/api/v1/nodes/worker-1', 'worker-2'),
    'of taints on what is no Node': {
      ...target('/apis/storage.k8s.io/v1/storageclasses/csi', 'csi'),
      change: entry.change,
    },
    'of a node operation on what is no Node': {
      ...target('/apis/storage.k8s.io/v1/storageclasses/csi', 'csi'),
      change: { kind: 'node-operation', operation: 'kill' },
    },
    'of an operation that is none': { change: { kind: 'node-operation', operation: 'format' } },
    'of a change that is none': { change: { kind: 'script' } },
    'with a pointer that is none': {
      change: { kind: 'fields', fields: [{ pointer: 'spec', before: {}, ours: [] }] },
    },
    'with a map that is not above its field': {
      change: { kind: 'fields', fields: [{ pointer: '/spec/a', before: {}, ours: [], made: '/spe' }] },
    },
  }))
    it(`${what} is refused`, () => {
      expect(() => parse(change)).to.throw(EntryError)
    })

  it('of any object outside of namespaces is read', () => {
    expect(parse(target('/apis/storage.k8s.io/v1/storageclasses/csi', 'csi'))).to.have.nested.property(
      'target.name',
      'csi',
    )
  })

  it('that is no JSON, or nothing at all, is refused', () => {
    for (const text of ['{', '[]', 'null', undefined]) expect(() => parseEntry(text)).to.throw(EntryError)
  })
})
