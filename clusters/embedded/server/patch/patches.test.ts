import { describe, it } from 'node:test'
import { expect } from 'chai'
import { own } from '../json/access.ts'
import { applyJsonPatch, JsonPatchError } from './json-patch.ts'
import { applyMergePatch } from './merge-patch.ts'
import { applyStrategicMerge } from './strategic-merge.ts'
import { StrategicMergeError } from './strategic-merge-error.ts'

describe('JSON patch', () => {
  it('leaves the document it was given alone, also when it fails half way', () => {
    const document = { data: { a: '1' }, list: [1, 2] }
    const patch = [
      { op: 'add', path: '/data/b', value: '2' },
      { op: 'add', path: '/list/-', value: 3 },
      { op: 'remove', path: '/list/0' },
    ]
    expect(applyJsonPatch(document, patch)).to.deep.equal({ data: { a: '1', b: '2' }, list: [2, 3] })
    expect(() => applyJsonPatch(document, [...patch, { op: 'test', path: '/data/a', value: '9' }])).to.throw(
      JsonPatchError,
    )
    expect(document).to.deep.equal({ data: { a: '1' }, list: [1, 2] })
  })

  it('refuses what does not fit', () => {
    const document = { list: [1], text: 'x' }
    for (const operation of [
      { op: 'add', path: '/list/2', value: 1 },
      { op: 'add', path: '/list/01x', value: 1 },
      { op: 'remove', path: '/absent' },
      { op: 'add', path: '/text/y', value: 1 },
      { op: 'add', path: '/a/b', value: 1 },
      { op: 'move', from: '/absent', path: '/b' },
      { op: 'nope', path: '/text' },
      { path: '/text' },
      null,
    ]) {
      expect(() => applyJsonPatch(document, [operation]), JSON.stringify(operation)).to.throw(JsonPatchError)
    }
  })

  it('adds a __proto__ key without touching any prototype', () => {
    const patched = applyJsonPatch({ data: {} }, [
      { op: 'add', path: '/data/__proto__', value: { polluted: 'yes' } },
    ])
    expect(own((patched as { data: Record<string, unknown> }).data, '__proto__')).to.deep.equal({
      polluted: 'yes',
    })
    expect(({} as { polluted?: string }).polluted).to.equal(undefined)
  })
})

describe('merge patch', () => {
  it('merges objects, removes by null and shares what it does not touch', () => {
    const target = { a: { x: 1, y: 2 }, b: { z: 3 } }
    const patched = applyMergePatch(target, { a: { x: null, w: { v: null } } }) as typeof target
    expect(patched).to.deep.equal({ a: { y: 2, w: {} }, b: { z: 3 } })
    expect(patched.b).to.equal(target.b)
  })
})

describe('strategic merge patch', () => {
  const deployment = {
    spec: {
      template: {
        spec: {
          containers: [
            { name: 'a', image: 'i:1', env: [{ name: 'X', value: '1' }] },
            { name: 'b', image: 'i:1' },
          ],
        },
      },
    },
  }
  const containers = (patch: unknown): unknown => {
    const patched = applyStrategicMerge('apps.Deployment', deployment, {
      spec: { template: { spec: { containers: patch } } },
    }) as typeof deployment
    return patched.spec.template.spec.containers
  }

  it('merges lists by their key', () => {
    expect(
      containers([
        { name: 'b', image: 'i:2' },
        { name: 'c', image: 'i:3' },
      ]),
    ).to.deep.equal([
      { name: 'a', image: 'i:1', env: [{ name: 'X', value: '1' }] },
      { name: 'b', image: 'i:2' },
      { name: 'c', image: 'i:3' },
    ])
    expect(containers([{ name: 'a', env: [{ name: 'X', $patch: 'delete' }] }])).to.deep.equal([
      { name: 'a', image: 'i:1', env: [] },
      { name: 'b', image: 'i:1' },
    ])
  })

  it('obeys replace and delete, and wants the key', () => {
    expect(containers([{ $patch: 'replace' }, { name: 'z', image: 'i:9' }])).to.deep.equal([
      { name: 'z', image: 'i:9' },
    ])
    expect(containers([{ name: 'a', $patch: 'delete' }])).to.deep.equal([{ name: 'b', image: 'i:1' }])
    expect(() => containers([{ image: 'i:3' }])).to.throw(
      StrategicMergeError,
      'map: map[image:i:3] does not contain declared merge key: name',
    )
  })
})
