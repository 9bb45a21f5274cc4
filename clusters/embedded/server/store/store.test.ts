import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { KubeObject } from '../registry/kube-object.ts'
import { TooOldError } from './history.ts'
import { Store, TooLargeError } from './store.ts'

const object = (name: string, data: Record<string, string> = {}): KubeObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  data,
})
const names = (store: Store, revision: number): string[] => store.listAt('c', revision).map(({ key }) => key)

describe('the store', () => {
  it('gives every write a revision of the whole store, deletions too', () => {
    const store = new Store()
    expect(store.put('c', 'a', object('a')).revision).to.equal(1)
    expect(store.put('other', 'x', object('x')).revision).to.equal(2)
    expect(store.delete('c', 'a')?.object.metadata.resourceVersion).to.equal('3')
    expect(store.delete('c', 'a')).to.equal(undefined)
    expect(store.revision).to.equal(3)
  })

  it('lists as it was at an earlier revision', () => {
    const store = new Store()
    store.put('c', 'b', object('b'))
    store.put('c', 'a', object('a'))
    store.delete('c', 'b')
    store.put('c', 'c', object('c'))
    expect(names(store, 1)).to.deep.equal(['b'])
    expect(names(store, 2)).to.deep.equal(['a', 'b'])
    expect(names(store, 3)).to.deep.equal(['a'])
    expect(names(store, 4)).to.deep.equal(['a', 'c'])
  })

  it('forgets what is beyond its limits and says so', () => {
    const store = new Store({ changes: 2, bytes: 1e9, milliseconds: 1e9 })
    for (const name of ['a', 'b', 'c', 'd']) store.put('c', name, object(name))
    expect(store.changesSince('c', 2).map(({ key }) => key)).to.deep.equal(['c', 'd'])
    expect(() => store.changesSince('c', 1)).to.throw(TooOldError, 'too old resource version: 1 (2)')
    store.compact()
    expect(() => store.listAt('c', 3)).to.throw(TooOldError)
    expect(store.changesSince('c', 4)).to.deep.equal([])
  })

  it('tells followers of their collection only, until they stop', () => {
    const store = new Store()
    const seen: string[] = []
    const stop = store.follow('c', ({ key, before, after }) =>
      seen.push(`${key} ${before?.revision} ${after?.revision}`),
    )
    store.put('c', 'a', object('a'))
    store.put('other', 'x', object('x'))
    store.put('c', 'a', object('a', { k: 'v' }))
    store.delete('c', 'a')
    stop()
    store.put('c', 'b', object('b'))
    expect(seen).to.deep.equal(['a undefined 1', 'a 1 3', 'a 3 undefined'])
    expect(store.followers).to.equal(0)
  })

  it('refuses what etcd would refuse and keeps what there was', () => {
    const store = new Store()
    store.put('c', 'a', object('a'))
    expect(() => store.put('c', 'a', object('a', { k: 'x'.repeat(1.5 * 1024 * 1024) }))).to.throw(
      TooLargeError,
    )
    expect(store.get('c', 'a')?.revision).to.equal(1)
    expect(store.revision).to.equal(1)
  })
})
