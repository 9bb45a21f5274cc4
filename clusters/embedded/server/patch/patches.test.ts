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

  it('copies what may be changed after it, and no more than a document may have', () => {
    const patched = applyJsonPatch({ a: { b: { c: 1 } } }, [
      { op: 'replace', path: '/a/b/c', value: 2 },
      { op: 'copy', from: '/a', path: '/d' },
      { op: 'replace', path: '/a/b/c', value: 3 },
      { op: 'add', path: '/d/b/e', value: 4 },
    ])
    expect(patched).to.deep.equal({ a: { b: { c: 3 } }, d: { b: { c: 2, e: 4 } } })
    const doubling = Array.from({ length: 60 }, (_, index) => ({
      op: 'copy',
      from: '/a',
      path: `/a/${index}`,
    }))
    expect(() => applyJsonPatch({ a: { b: 'x' } }, doubling)).to.throw(JsonPatchError, 'accumulated size')
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

  /** Each as kube-apiserver v1.36.3 answered it for a list of a, b, c, d. */
  const ORDERS: readonly (readonly [string, readonly object[], readonly string[] | undefined, string])[] = [
    ['what is new goes ahead of what only the server has', named('e'), undefined, 'e a b c d'],
    ['the patch says the order of its items', named('d', 'b'), undefined, 'a c d b'],
    ['a new one stands before the next it comes with', named('e', 'c'), undefined, 'e a b c d'],
    ['what is left keeps its order', [...named('e'), gone('b'), gone('a')], undefined, 'e c d'],
    ['a wanted order counts for what the patch leaves alone', [], ['d', 'a'], 'b c d a'],
    ['and for what it brings', named('c', 'e'), ['c', 'a', 'e'], 'b c a e d'],
    ['what is new takes the place of what went', [...named('f', 'c'), gone('a')], ['f', 'c', 'e'], 'b d f c'],
    ['a replacement knows no server order', [...named('c', 'a'), { $patch: 'replace' }], undefined, 'c a'],
  ]
  function named(...names: string[]): { name: string }[] {
    return names.map((name) => ({ name }))
  }
  function gone(name: string): object {
    return { name, $patch: 'delete' }
  }
  const four = { spec: { template: { spec: { containers: named('a', 'b', 'c', 'd') } } } }
  const ordered = (patch: readonly object[], order: readonly string[] | undefined): string => {
    const spec = { containers: patch, ...(order && { '$setElementOrder/containers': named(...order) }) }
    const patched = applyStrategicMerge('apps.Deployment', four, { spec: { template: { spec } } })
    return (patched as typeof four).spec.template.spec.containers.map(({ name }) => name).join(' ')
  }
  for (const [law, patch, order, expected] of ORDERS) {
    it(`orders a list: ${law}`, () => {
      expect(ordered(patch, order)).to.equal(expected)
    })
  }

  it('orders a list of scalars likewise', () => {
    const target = { metadata: { finalizers: ['x/a', 'x/b', 'x/c'] } }
    const finalizers = (metadata: object): unknown =>
      applyStrategicMerge('apps.Deployment', target, { metadata }).metadata
    expect(finalizers({ finalizers: ['x/e', 'x/b'] })).to.deep.equal({
      finalizers: ['x/e', 'x/a', 'x/b', 'x/c'],
    })
    expect(finalizers({ '$setElementOrder/finalizers': ['x/c', 'x/a'] })).to.deep.equal({
      finalizers: ['x/b', 'x/c', 'x/a'],
    })
  })

  it('refuses a list that is not in the order it asks for, and directives that lists don’t have', () => {
    expect(() => ordered(named('b', 'a'), ['a', 'b'])).to.throw(
      StrategicMergeError,
      "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
    )
    expect(() => ordered([{ name: 'a', $patch: 'merge' }], undefined)).to.throw(
      StrategicMergeError,
      'merging lists cannot yet be specified in the patch',
    )
    expect(() => ordered([{ name: 'a', $patch: 'odd' }], undefined)).to.throw(
      StrategicMergeError,
      'unknown patch type: odd in map: map[$patch:odd name:a]',
    )
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
