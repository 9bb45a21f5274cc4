import { afterEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiFailure } from '../api/api-failure.ts'
import type { ConfigMap } from '../contract/kubernetes.ts'
import { INSTANCES_CONFIG_MAP } from '../contract/names.ts'
import { KubeClient } from '../kube/client.ts'
import { events, json, listOf, type ScriptedServer, scriptedServer } from '../kube/scripted-server.ts'
import type { ByohContext } from './byoh-context.ts'
import { openJournal } from './journal.ts'
import { entry, failure, held, open } from './pool-fixture.ts'
import { setByoh } from './set-byoh.ts'
import { whileRenewing } from './while-renewing.ts'

let server: ScriptedServer | undefined
afterEach(() => server?.stop())

const options = { retry: { attempts: 1 } }

/** A clock that strikes when the test says so; `strike` resolves once what it struck for is done. */
function handClock() {
  let struck = Promise.withResolvers<void>()
  let asked = Promise.withResolvers<void>()
  const clock = { running: false, every, strike }
  async function* every(_: number, signal: AbortSignal) {
    clock.running = true
    try {
      for (;;) {
        asked.resolve()
        if (signal.aborted) return
        const ended = Promise.withResolvers<void>()
        signal.addEventListener('abort', () => ended.resolve(), { once: true })
        await Promise.race([struck.promise, ended.promise])
        if (signal.aborted) return
        yield
      }
    } finally {
      clock.running = false
      asked.resolve()
    }
  }
  async function strike(): Promise<void> {
    await asked.promise
    asked = Promise.withResolvers()
    const now = struck
    struck = Promise.withResolvers()
    now.resolve()
    await asked.promise
  }
  return clock
}

async function leasesOf(data: Record<string, string>, signal?: AbortSignal) {
  const opened = open(data, signal)
  const clock = handClock()
  const kube = new KubeClient({ server: 'http://127.0.0.1:1', insecure: false, namespace: 'default' })
  const context: ByohContext = {
    api: opened.api,
    journal: opened.journal,
    namespace: 'windows',
    configMap: 'pool',
    signal: signal ?? AbortSignal.timeout(10_000),
    kube,
    every: clock.every,
  }
  const { entries: hosts } = await opened.pool.list()
  return {
    ...opened,
    clock,
    context,
    leases: { testId: 't', hosts, options, loss: 'ends the work' as const },
  }
}

/** Work that ends when the test says so, or when its signal does. */
function work() {
  const done = Promise.withResolvers<string>()
  return {
    end: () => done.resolve('done'),
    run: ({ signal }: ByohContext) => {
      signal.addEventListener('abort', () => done.reject(new Error('given up')), { once: true })
      return done.promise
    },
  }
}

describe('leases while something takes long', () => {
  it('are renewed each time the clock strikes, stay the same leases, and are let be at the end', async () => {
    const { api, clock, context, data, leases } = await leasesOf({
      '192.0.2.1': held('t'),
      '192.0.2.2': held('t'),
      '192.0.2.3': held('u'),
    })
    leases.hosts = leases.hosts.filter((host) => host.testId === leases.testId)
    const { run, end } = work()
    const result = whileRenewing(context, leases, run)
    await clock.strike()
    for (const address of ['192.0.2.1', '192.0.2.2'])
      expect(data()[address])
        .to.include('allocated-at: 2026-03-31T12:00:00Z')
        .and.not.include('last-updated: 2026-03-31')
    expect(data()['192.0.2.3']).to.equal(held('u'))
    await clock.strike()
    expect(api.patches).to.have.length(4)
    end()
    expect(await result).to.equal('done')
    expect(clock.running).to.equal(false)
  })

  it('that are lost end the work with the reason', async () => {
    const { api, clock, context, data, leases } = await leasesOf({ '192.0.2.1': held('t') })
    api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.1': held('rival') }))
    const failed = failure(whileRenewing(context, leases, work().run), 'NotTheHolder')
    await clock.strike()
    expect((await failed).message).to.include('rival')
    expect(data()['192.0.2.1']).to.equal(held('rival'))
  })

  it('are renewed on although another one is lost, where that changes nothing', async () => {
    const { api, clock, context, data, leases } = await leasesOf({
      '192.0.2.1': held('t'),
      '192.0.2.2': held('t'),
    })
    api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.1': held('rival') }))
    const { run, end } = work()
    const result = whileRenewing(context, { ...leases, loss: 'changes nothing' }, run)
    await clock.strike()
    expect(data()['192.0.2.2']).not.to.include('last-updated: 2026-03-31')
    await clock.strike()
    expect(api.patches).to.have.length(2)
    end()
    expect(await result).to.equal('done')
  })

  for (const loss of ['ends the work', 'changes nothing'] as const)
    it(`that are lost do not hide that the caller has given up, where a loss ${loss}`, async () => {
      const caller = new AbortController()
      const { api, clock, context, leases } = await leasesOf({ '192.0.2.1': held('t') }, caller.signal)
      api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.1': held('rival') }))
      const stubborn = Promise.withResolvers<string>()
      const result = whileRenewing(context, { ...leases, loss }, () => stubborn.promise)
      await clock.strike()
      caller.abort()
      stubborn.reject(new Error('given up'))
      expect(await result.catch((error: Error) => error.message)).to.equal('given up')
    })

  it('that are lost do not hide what else went wrong, where a loss changes nothing', async () => {
    const { api, clock, context, leases } = await leasesOf({ '192.0.2.1': held('t') })
    api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.1': held('rival') }))
    const broken = Promise.withResolvers<string>()
    const result = whileRenewing(context, { ...leases, loss: 'changes nothing' }, () => broken.promise)
    await clock.strike()
    broken.reject(new Error('no Nodes for you'))
    expect(await result.catch((error: Error) => error.message)).to.equal('no Nodes for you')
  })

  it('are let be when the work fails, and what is left of it ends', async () => {
    const { clock, context, leases } = await leasesOf({ '192.0.2.1': held('t') })
    let left: AbortSignal | undefined
    const result = whileRenewing(context, leases, async ({ signal }) => {
      left = signal
      throw new Error('one of two failed')
    })
    expect(await result.catch((error: Error) => error.message)).to.equal('one of two failed')
    expect(left?.aborted).to.equal(true)
    expect(clock.running).to.equal(false)
  })

  it('end the work when renewing breaks down altogether, and nothing is left unhandled', async () => {
    const { api, clock, context, leases } = await leasesOf({ '192.0.2.1': held('t') })
    api.before = () => {
      throw new TypeError('a defect')
    }
    const result = whileRenewing(context, { ...leases, loss: 'changes nothing' }, work().run)
    const failed = result.catch((error: Error) => error.message)
    await clock.strike()
    expect(await failed).to.equal('a defect')
  })

  it('that a later lease of the same test took the place of are lost too', async () => {
    const { api, clock, context, leases } = await leasesOf({ '192.0.2.1': held('t') })
    const later = held('t', { 'allocated-at': '2026-04-01T00:00:00Z' })
    api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.1': later }))
    const failed = failure(whileRenewing(context, leases, work().run), 'NotTheHolder')
    await clock.strike()
    await failed
  })

  it('that cannot be renewed now are renewed the next time', async () => {
    const { api, clock, context, data, leases } = await leasesOf({ '192.0.2.1': held('t') })
    api.before = (verb) => {
      if (verb === 'patch') throw new ApiFailure('transient', 'busy', { code: 503 })
    }
    const { run, end } = work()
    const result = whileRenewing(context, leases, run)
    await clock.strike()
    expect(data()['192.0.2.1']).to.equal(held('t'))
    api.before = () => undefined
    await clock.strike()
    expect(data()['192.0.2.1']).not.to.include('last-updated: 2026-03-31')
    end()
    await result
  })

  it('are let be when the caller gives up', async () => {
    const caller = new AbortController()
    const { clock, context, leases } = await leasesOf({ '192.0.2.1': held('t') }, caller.signal)
    const result = whileRenewing(context, leases, work().run).catch((error: Error) => error.message)
    await clock.strike()
    caller.abort()
    expect(await result).to.equal('given up')
    expect(clock.running).to.equal(false)
  })

  it('of hosts being configured end setBYOH at once when they are lost, and the hosts are unlisted', async () => {
    const empty = json(200, listOf('1'))
    const watch = events([], 'open')
    server = await scriptedServer((request, response) =>
      (request.url?.includes('watch=') ? watch : empty)(request, response),
    )
    const { api, data } = open({ '192.0.2.1': entry() })
    const listed = () => api.objects.get(`configmaps/${INSTANCES_CONFIG_MAP}`) as ConfigMap
    const clock = handClock()
    const place = { namespace: 'windows', configMap: 'pool', journal: openJournal() }
    const context = { api, ...place, signal: AbortSignal.timeout(10_000), kube: server.client }
    const request = { testId: 't', addressTypes: ['ip'], readyWithinMs: 3_600_000, ...options } as const
    const failed = failure(setByoh({ ...context, every: clock.every }, request), 'NotTheHolder')
    await clock.strike()
    expect(listed().data).to.deep.equal({ '192.0.2.1': 'username=Administrator' })
    api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.1': held('rival') }))
    await clock.strike()
    expect((await failed).message).to.include('rival')
    expect(listed().data).to.deep.equal({})
    expect(data()['192.0.2.1']).to.equal(held('rival'))
  })
})
