import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiFailure } from '../api/api-failure.ts'
import type { RetryPolicy } from '../contract/pool.ts'
import { KubeClient } from '../kube/client.ts'
import type { ApiInMemory } from './api-in-memory.ts'
import { openJournal } from './journal.ts'
import { entry, failure, held, open } from './pool-fixture.ts'
import { takeFromPool } from './take-from-pool.ts'

function take(api: ApiInMemory, retry: RetryPolicy = { attempts: 2 }) {
  const kube = new KubeClient({ server: 'http://127.0.0.1:1', insecure: false, namespace: 'default' })
  const place = { namespace: 'windows', configMap: 'pool', journal: openJournal() }
  const context = { api, ...place, signal: new AbortController().signal, kube }
  return takeFromPool(context, {
    testId: 't',
    addressTypes: ['ip', 'dns'],
    readyWithinMs: 1,
    retry: { ...retry, baseDelayMs: 0 },
  })
}

const DNS = entry({ 'address-type': 'dns' })

describe('hosts of the pool for setBYOH, all or none', () => {
  it('gives back a host that was taken by a write whose answer was lost', async () => {
    const { api, data } = open({ '192.0.2.1': entry(), 'win.example': DNS })
    let patches = 0
    api.afterPatch = () => {
      if (++patches === 2) throw new ApiFailure('transient', 'no answer')
    }
    await failure(take(api, { attempts: 1 }), 'AttemptsExhausted')
    expect(Object.values(data()).filter((text) => text.includes('in-use'))).to.deep.equal([])
  })

  it('gives back a host that was taken by a write which the deadline cut off', async () => {
    const { api, data } = open({ '192.0.2.1': entry(), 'win.example': DNS })
    let patches = 0
    const { mergePatch } = api
    api.mergePatch = (async (...[resource, name, patch, options]: Parameters<typeof mergePatch>) => {
      await mergePatch(resource, name, patch, options)
      if (name !== 'pool' || ++patches !== 2) return {}
      await new Promise((resolve) => options.signal.addEventListener('abort', resolve, { once: true }))
      throw options.signal.reason
    }) as typeof mergePatch
    await failure(take(api, { deadlineMs: 1_000 }), 'DeadlineExceeded')
    expect(Object.values(data()).filter((text) => text.includes('in-use'))).to.deep.equal([])
  })

  it('keeps a host that another call of the same test took meanwhile, and was told of', async () => {
    const { api, data } = open({ '192.0.2.1': entry(), 'win.example': DNS })
    const others = held('t', { 'address-type': 'dns' })
    api.before = (verb) => {
      if (verb !== 'patch') return
      api.before = () => undefined
      api.change('pool', ({ data = {} }) => Object.assign(data, { 'win.example': others }))
      throw new ApiFailure('conflict', 'modified', { code: 409 })
    }
    await failure(take(api, { attempts: 1 }), 'AttemptsExhausted')
    expect(data()['win.example']).to.equal(others)
  })

  it('keeps what the test held before when the pool cannot even be read at first', async () => {
    const { api, data } = open({ '192.0.2.1': held('t') })
    let reads = 0
    api.before = (verb) => {
      if (verb === 'get' && ++reads <= 2) throw new ApiFailure('transient', 'busy', { code: 503 })
    }
    await failure(take(api), 'AttemptsExhausted')
    expect(data()['192.0.2.1']).to.equal(held('t'))
  })

  it('gives back every host it can, and says which it could not', async () => {
    const { api, data } = open({
      '192.0.2.1': entry(),
      'win.example': held('rival', { 'address-type': 'dns' }),
    })
    let patches = 0
    api.before = (verb) => {
      if (verb === 'patch' && ++patches > 1) throw new ApiFailure('transient', 'busy', { code: 503 })
    }
    const { message } = await failure(take(api), 'CleanUpIncomplete')
    expect(message).to.include('no node to give').and.to.include('release').and.to.include('busy')
    expect(data()['192.0.2.1']).to.include('test-id: t')
  })

  it('answers a refusal that allows a fallback, and keeps nothing', async () => {
    const { api, data } = open({ '192.0.2.1': entry() })
    const taken = await take(api)
    expect(taken).to.have.property('refusal').with.property('code', 'AddressTypeMismatch')
    expect(data()['192.0.2.1']).to.include('status: available')
  })
})
