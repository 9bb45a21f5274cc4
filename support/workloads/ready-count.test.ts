import { test } from 'node:test'
import { expect } from 'chai'
import type { Pod } from '../pods/pod.ts'
import { ReadyCount } from './ready-count.ts'

function pod(uid: string, ready: boolean): Pod {
  return {
    metadata: { uid, name: uid },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  }
}

const resourceVersion = '1'
const listed = (...objects: Pod[]) => ({ type: 'LISTED', objects, resourceVersion }) as const

test('the least is what was ready at one time, not at the end', () => {
  const count = new ReadyCount()
  count.take(listed(pod('a', true), pod('b', true)))
  count.take({ type: 'MODIFIED', object: pod('a', false), resourceVersion })
  count.take({ type: 'ADDED', object: pod('c', true), resourceVersion })
  count.take({ type: 'DELETED', object: pod('a', false), resourceVersion })
  expect(count.least).to.equal(1)
  count.take({ type: 'DELETED', object: pod('b', true), resourceVersion })
  count.take({ type: 'DELETED', object: pod('c', true), resourceVersion })
  expect(count.least).to.equal(0)
})

test('a gap in the watch, or no watch at all, proves nothing', () => {
  const count = new ReadyCount()
  expect(() => count.least).to.throw('no moment was seen yet')
  count.take(listed(pod('a', true)))
  count.take({ type: 'GAP', reason: 'too old', resourceVersion })
  count.take(listed(pod('a', true)))
  expect(() => count.least).to.throw('not every moment was seen: too old')
})
