import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiFailure } from '../api/api-failure.ts'
import type { ConfigMap } from '../contract/kubernetes.ts'
import type { LockStrategy } from '../contract/pool.ts'
import { entry, failure, held, node, open } from './pool-fixture.ts'

const STRATEGIES: readonly LockStrategy[] = ['resource-version', 'entry']
/** Retries that cost a test no time. */
const retry = { attempts: 5, baseDelayMs: 0 }

for (const strategy of STRATEGIES) {
  describe(`pool by ${strategy}`, () => {
    it('sends back the one entry alone, under its guard', async () => {
      const { api, pool } = open({ '192.0.2.1': entry(), '192.0.2.2': 'odd: [neighbour' })
      await pool.allocate({ testId: 't', strategy })
      expect(api.patches).to.have.length(1)
      expect(JSON.stringify(api.patches)).to.include('uid-of-pool').and.not.include('neighbour')
    })

    it('decides again when the entry was taken between read and write', async () => {
      const { api, pool, data } = open({ '192.0.2.1': entry(), '192.0.2.2': held('other') })
      api.before = (verb) => {
        if (verb !== 'patch') return
        api.before = () => undefined
        api.change('pool', ({ data = {} }) =>
          Object.assign(data, { '192.0.2.1': held('rival'), '192.0.2.2': entry() }),
        )
      }
      const { node: given } = await pool.allocate({ testId: 't', strategy, retry })
      expect(given?.address).to.equal('192.0.2.2')
      expect(data()['192.0.2.1']).to.equal(held('rival'))
    })

    it('never hands out a machine taken under its other address between read and write', async () => {
      const mine = entry({ machine: 'm' })
      const { api, pool, data } = open({
        '192.0.2.1': mine,
        'm.example': entry({ machine: 'm', 'address-type': 'dns' }),
      })
      api.before = (verb) => {
        if (verb !== 'patch') return
        const taken = held('rival', { machine: 'm', 'address-type': 'dns' })
        api.change('pool', ({ data = {} }) => Object.assign(data, { 'm.example': taken }))
      }
      await failure(pool.allocate({ testId: 't', addressType: 'ip', strategy, retry }), 'NoneAvailable')
      expect(data()['192.0.2.1']).to.equal(mine)
    })

    it('gives a node back whose machine appeared, already held, between read and write', async () => {
      const { api, pool, data } = open({ '192.0.2.1': entry({ machine: 'm' }) })
      api.before = (verb) => {
        if (verb !== 'patch') return
        api.before = () => undefined
        const taken = held('rival', { machine: 'm', 'address-type': 'dns' })
        api.change('pool', ({ data = {} }) => Object.assign(data, { 'm.example': taken }))
      }
      await failure(pool.allocate({ testId: 't', addressType: 'ip', strategy, retry }), 'NoneAvailable')
      expect(data()['192.0.2.1']).to.include('status: available').and.not.include('test-id: t')
    })

    it('leaves a lease that was renewed to its holder, whatever somebody writes about its machine later', async () => {
      const mine = held('t', { machine: 'm', 'last-updated': '2026-03-31T12:05:00Z' })
      const other = { machine: 'm', 'address-type': 'dns', 'allocated-at': '2020-03-31T12:00:00Z' }
      const { api, pool, data } = open({ '192.0.2.1': mine, 'm.example': held('rival', other) })
      const { node, unchanged } = await pool.allocate({ testId: 't', addressType: 'ip', strategy, retry })
      expect(node?.address).to.equal('192.0.2.1')
      expect(unchanged).to.equal(true)
      expect(api.patches).to.deep.equal([])
      expect(data()['192.0.2.1']).to.equal(mine)
    })

    for (const since of ['2020-03-31T12:00:00Z', '2126-03-31T12:00:00Z'])
      it(`neither takes a lease away nor hands it out again while its machine is also held, since ${since.slice(0, 4)}`, async () => {
        const mine = held('t', { machine: 'm' })
        const other = { machine: 'm', 'address-type': 'dns', 'allocated-at': since }
        const { api, pool, data } = open({
          '192.0.2.1': mine,
          'm.example': held('rival', other),
          '192.0.2.2': entry(),
        })
        const asked = pool.allocate({ testId: 't', addressType: 'ip', strategy, retry })
        const { message } = await failure(asked, 'NoneAvailable')
        expect(message).to.include('192.0.2.1').and.to.include('m.example').and.to.include('rival')
        expect(api.patches).to.deep.equal([])
        expect(data()['192.0.2.1']).to.equal(mine)
      })

    it('keeps the earlier of two leases that one test took at once', async () => {
      const { api, pool, data } = open({
        '192.0.2.1': entry(),
        '192.0.2.2': entry(),
        '192.0.2.3': held('other'),
      })
      api.before = (verb) => {
        if (verb !== 'patch') return
        api.before = () => undefined
        api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.3': held('t') }))
      }
      const { node: given } = await pool.allocate({ testId: 't', strategy, retry })
      expect(given?.address).to.equal('192.0.2.3')
      expect(Object.values(data()).filter((text) => text.includes('status: in-use'))).to.have.length(1)
    })

    it('finds its own lease when the answer of its write is lost', async () => {
      const { api, journal, pool, data } = open({ '192.0.2.1': entry(), '192.0.2.2': entry() })
      api.afterPatch = () => {
        api.afterPatch = () => undefined
        throw new ApiFailure('transient', 'no answer')
      }
      const result = await pool.allocate({ testId: 't', strategy, retry })
      expect(result.unchanged).to.equal(true)
      expect(Object.values(data()).filter((text) => text.includes('in-use'))).to.have.length(1)
      expect(journal.attempts).to.equal(2)
    })

    it('costs no second node when its write arrives after it was given up for lost', async () => {
      const { api, pool, data } = open({ '192.0.2.1': entry(), '192.0.2.2': entry(), '192.0.2.3': entry() })
      const { mergePatch, jsonPatch } = api
      let late: (() => Promise<unknown>) | undefined
      const loseFirst =
        <Args extends unknown[], T>(send: (...args: Args) => Promise<T>) =>
        async (...args: Args): Promise<T> => {
          if (!late) {
            late = () => send(...args)
            // By now others would be the better choice.
            const rested = [1, 2, 3, 4, 5].map((at) => [
              `${arrives}-${at}.example`,
              entry({ 'address-type': 'dns', 'last-updated': '2020-03-31T12:00:00Z' }),
            ])
            api.change('pool', ({ data = {} }) => Object.assign(data, Object.fromEntries(rested)))
            throw new ApiFailure('transient', 'no answer')
          }
          // The first arrives just before the second, or just after it.
          if (arrives === 'before') await late().catch(() => undefined)
          const answer = await send(...args)
          if (arrives === 'after') await late().catch(() => undefined)
          return answer
        }
      let arrives: 'before' | 'after' = 'before'
      for (arrives of ['before', 'after'] as const) {
        late = undefined
        api.mergePatch = loseFirst(mergePatch) as typeof mergePatch
        api.jsonPatch = loseFirst(jsonPatch) as typeof jsonPatch
        const { node: given } = await pool.allocate({ testId: arrives, strategy, retry })
        const held = Object.entries(data()).filter(([, text]) => text.includes(`test-id: ${arrives}`))
        expect(held.map(([address]) => address)).to.deep.equal([given?.address])
      }
    })

    describe('of two leases of one test and type, as a crash or a late write leaves them,', () => {
      const early = held('t', {
        'allocated-at': '2026-03-31T12:00:00Z',
        'last-updated': '2026-03-31T12:00:00Z',
      })
      const late = held('t', {
        'allocated-at': '2026-03-31T12:00:09Z',
        'last-updated': '2026-03-31T12:00:09Z',
      })
      const renewed = early.replace(/last-updated: .*/, 'last-updated: 2026-03-31T12:30:00Z')
      const ask = ({ pool }: ReturnType<typeof open>) => pool.allocate({ testId: 't', strategy, retry })

      it('the one that was renewed is the test’s, for somebody was told of it', async () => {
        const opened = open({ '192.0.2.1': renewed, '192.0.2.2': late })
        const { node, unchanged } = await ask(opened)
        expect(node?.address).to.equal('192.0.2.1')
        expect(unchanged).to.equal(true)
      })

      it('the later one is the test’s where none was renewed: the other took longer to arrive', async () => {
        expect((await ask(open({ '192.0.2.1': early, '192.0.2.2': late }))).node?.address).to.equal(
          '192.0.2.2',
        )
        expect((await ask(open({ '192.0.2.1': late, '192.0.2.2': early }))).node?.address).to.equal(
          '192.0.2.1',
        )
      })

      it('the same one is answered however often it is asked for, and the other is nobody else’s', async () => {
        const opened = open({ '192.0.2.1': early, '192.0.2.2': late, '192.0.2.3': entry() })
        const answers = [await ask(opened), await ask(opened), await ask(opened)]
        expect(answers.map(({ node }) => node?.address)).to.deep.equal(Array(3).fill('192.0.2.2'))
        expect(opened.api.patches, 'writes').to.have.length(1)
        expect(opened.data()['192.0.2.1']).to.equal(early)
      })

      it('the other one goes by the next reclaim', async () => {
        const opened = open({ '192.0.2.1': early, '192.0.2.2': late })
        await ask(opened)
        const { reclaimed } = await opened.pool.reclaim({ olderThanSeconds: 60, strategy, retry })
        expect(reclaimed.map(({ address }) => address)).to.deep.equal(['192.0.2.1'])
        expect((await ask(opened)).node?.address).to.equal('192.0.2.2')
      })
    })

    it('answers the same node again although a write that was given up for lost arrives after that answer', async () => {
      const { api, pool, data } = open({ '192.0.2.1': entry() })
      const { mergePatch, jsonPatch } = api
      let late: (() => Promise<unknown>) | undefined
      const lose =
        <Args extends unknown[], T>(send: (...args: Args) => Promise<T>) =>
        async (...args: Args): Promise<T> => {
          late = () => send(...args)
          throw new ApiFailure('transient', 'no answer')
        }
      Object.assign(api, { mergePatch: lose(mergePatch), jsonPatch: lose(jsonPatch) })
      const ask = (attempts = 3) =>
        pool.allocate({ testId: 't', strategy, retry: { attempts, baseDelayMs: 0 } })
      await failure(ask(1), 'AttemptsExhausted')
      Object.assign(api, { mergePatch, jsonPatch })
      const rested = entry({ 'address-type': 'dns', 'last-updated': '2020-03-31T12:00:00Z' })
      api.change('pool', ({ data = {} }) => Object.assign(data, { 'rested.example': rested }))
      expect((await ask()).node?.address).to.equal('rested.example')
      const landed = await late?.().then(
        () => true,
        () => false,
      )
      expect(landed, 'whether the late write took effect').to.equal(strategy === 'entry')
      expect((await ask()).node?.address).to.equal('rested.example')
      expect((await ask()).node?.address).to.equal('rested.example')
      expect(data()['192.0.2.1']?.includes('test-id: t'), 'whether the late one is left').to.equal(landed)
    })

    it('quarantines an available entry whose Node is not Ready, and takes the next', async () => {
      const { api, pool, data } = open({
        '192.0.2.1': entry(),
        '192.0.2.2': entry({ 'last-updated': '2026-04-01T12:00:00Z' }),
      })
      api.objects.set('nodes/n', node('n', ['192.0.2.1'], 'Unknown'))
      const { node: given } = await pool.allocate({ testId: 't', strategy })
      expect(given?.address).to.equal('192.0.2.2')
      expect(data()['192.0.2.1']).to.include('status: quarantined')
    })

    it('answers a quarantine whose answer was lost with a node, not with the quarantined one', async () => {
      const { api, pool } = open({
        '192.0.2.1': entry(),
        '192.0.2.2': entry({ 'last-updated': '2026-04-01T12:00:00Z' }),
      })
      api.objects.set('nodes/n', node('n', ['192.0.2.1'], 'False'))
      api.afterPatch = () => {
        api.afterPatch = () => undefined
        throw new ApiFailure('transient', 'no answer')
      }
      const { node: given } = await pool.allocate({ testId: 't', strategy, retry })
      expect(given?.address).to.equal('192.0.2.2')
    })

    for (const [what, act] of [
      [
        'release',
        (pool: ReturnType<typeof open>['pool']) =>
          pool.release({ address: '192.0.2.1', testId: 't', strategy, retry }),
      ],
      [
        'removal',
        (pool: ReturnType<typeof open>['pool']) =>
          pool.remove({ address: '192.0.2.1', force: true, strategy, retry }),
      ],
      [
        'addition',
        (pool: ReturnType<typeof open>['pool']) =>
          pool.add({
            address: '192.0.2.9',
            username: 'u',
            platform: 'p',
            addressType: 'ip',
            strategy,
            retry,
          }),
      ],
    ] as const) {
      it(`takes a ${what} whose answer was lost for done`, async () => {
        const { api, pool } = open({ '192.0.2.1': held('t') })
        api.afterPatch = () => {
          api.afterPatch = () => undefined
          throw new ApiFailure('transient', 'no answer')
        }
        expect((await act(pool)).unchanged).to.equal(true)
        expect(api.patches).to.have.length(1)
      })
    }

    it('takes a release for done when the node has a new holder since the lost answer', async () => {
      const { api, pool, data } = open({ '192.0.2.1': held('t') })
      api.afterPatch = () => {
        api.afterPatch = () => undefined
        api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.1': held('next') }))
        throw new ApiFailure('transient', 'no answer')
      }
      expect((await pool.release({ address: '192.0.2.1', testId: 't', strategy, retry })).unchanged).to.equal(
        true,
      )
      expect(data()['192.0.2.1']).to.equal(held('next'))
    })

    it('gives back the lease it saw first, not a later one of the same test', async () => {
      const { api, pool, data } = open({ '192.0.2.1': held('t') })
      const later = held('t', { 'allocated-at': '2026-04-01T00:00:00Z' })
      api.before = (verb) => {
        if (verb === 'patch')
          api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.1': later }))
      }
      await failure(pool.release({ address: '192.0.2.1', testId: 't', strategy, retry }), 'NotTheHolder')
      expect(data()['192.0.2.1']).to.equal(later)
    })

    it('gives a node back whose answer was lost, when its machine was taken first, even by a clock that is ahead', async () => {
      const { api, pool, data } = open({ '192.0.2.1': entry({ machine: 'm' }) })
      const ahead = { machine: 'm', 'address-type': 'dns', 'allocated-at': '2126-03-31T12:00:00Z' }
      api.before = (verb) => {
        if (verb !== 'patch') return
        api.before = () => undefined
        api.change('pool', ({ data = {} }) => Object.assign(data, { 'm.example': held('rival', ahead) }))
      }
      api.afterPatch = () => {
        api.afterPatch = () => undefined
        throw new ApiFailure('transient', 'no answer')
      }
      await failure(pool.allocate({ testId: 't', addressType: 'ip', strategy, retry }), 'NoneAvailable')
      expect(data()['192.0.2.1']).to.include('status: available')
    })

    it('says that the pool is missing when it is deleted between read and write', async () => {
      const { api, pool } = open({ '192.0.2.1': entry() })
      api.before = (verb) => {
        if (verb === 'patch') api.objects.delete('configmaps/pool')
      }
      await failure(pool.allocate({ testId: 't', strategy, retry }), 'PoolMissing')
    })

    it('decides again on a ConfigMap that was replaced, even by one that looks the same', async () => {
      const { api, journal, pool } = open({ '192.0.2.1': entry() })
      api.before = (verb) => {
        if (verb !== 'patch') return
        api.before = () => undefined
        const old = api.objects.get('configmaps/pool') as ConfigMap
        api.objects.set('configmaps/pool', { ...old, metadata: { ...old.metadata, uid: 'another' } })
      }
      await pool.allocate({ testId: 't', strategy, retry })
      expect(journal.attempts).to.equal(2)
    })

    it('gives up after the last attempt, and says how it tried', async () => {
      const { api, journal, pool } = open({ '192.0.2.1': entry() })
      let calls = 0
      api.before = (verb) => {
        if (verb !== 'patch') return
        if (++calls % 2) throw new ApiFailure('transient', '503: busy')
        api.change('pool', ({ data = {} }) =>
          Object.assign(data, { '192.0.2.1': entry({ note: String(calls) }) }),
        )
      }
      const { message } = await failure(
        pool.allocate({ testId: 't', strategy, retry: { attempts: 3, baseDelayMs: 1 } }),
        'AttemptsExhausted',
      )
      expect(message).to.include('3 attempts').and.include('503: busy').and.include('windows/pool')
      expect(journal.delays).to.have.length(2)
    })

    it('tries more often than a count would let it while the deadline is far, and no more when it is near', async () => {
      const { api, journal, pool } = open({ '192.0.2.1': entry() })
      let patches = 0
      api.before = (verb) => {
        if (verb !== 'patch') return
        if (++patches <= 7) throw new ApiFailure('conflict', 'always')
        throw new ApiFailure('transient', 'come back tomorrow', { retryAfterMs: 50_000 })
      }
      const asked = pool.allocate({ testId: 't', strategy, retry: { deadlineMs: 40_000, baseDelayMs: 0 } })
      const { message } = await failure(asked, 'DeadlineExceeded')
      expect(message).to.include('40000 ms').and.include('come back tomorrow')
      expect(journal.attempts).to.equal(8)
    })

    it('sums up its delays when there were many', async () => {
      const { api, pool } = open({ '192.0.2.1': entry() })
      api.before = (verb) => {
        if (verb === 'patch') throw new ApiFailure('conflict', 'always')
      }
      const asked = pool.allocate({ testId: 't', strategy, retry: { attempts: 30, baseDelayMs: 0 } })
      const { message } = await failure(asked, 'AttemptsExhausted')
      expect(message).to.include('30 attempts, after waiting 29 times, in all 0 ms')
    })

    it('ends when its caller gives up during a wait', async () => {
      const controller = new AbortController()
      const { api, pool } = open({ '192.0.2.1': entry() }, controller.signal)
      api.before = (verb) => {
        if (verb !== 'patch') return
        setImmediate(() => controller.abort())
        throw new ApiFailure('transient', 'busy', { retryAfterMs: 50_000 })
      }
      await failure(pool.allocate({ testId: 't', strategy }), 'Cancelled')
    })

    it('lets a crowd share the nodes out, one each', async () => {
      const data = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`192.0.2.${at}`, entry()]))
      const { api, pool } = open(data)
      api.before = () => new Promise((resolve) => setImmediate(resolve))
      const crowd = Array.from({ length: 20 }, (_, at) =>
        pool.allocate({ testId: `t${at}`, strategy, retry: { deadlineMs: 10_000, baseDelayMs: 1 } }),
      )
      const given = (await Promise.all(crowd)).map(({ node }) => node?.address)
      expect(new Set(given).size).to.equal(20)
    })

    it('gives one test asking twice at once a single node', async () => {
      const { api, pool, data } = open({ '192.0.2.1': entry(), '192.0.2.2': entry(), '192.0.2.3': entry() })
      api.before = () => new Promise((resolve) => setImmediate(resolve))
      const ask = () => pool.allocate({ testId: 't', strategy, retry })
      const [one, two] = await Promise.all([ask(), ask()])
      expect(one.node?.address).to.equal(two.node?.address)
      expect(Object.values(data()).filter((text) => text.includes('in-use'))).to.have.length(1)
    })
  })
}
