import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiFailure } from '../api/api-failure.ts'
import type { LockStrategy } from '../contract/pool.ts'
import { entry, failure, held, open } from './pool-fixture.ts'

const STRATEGIES: readonly LockStrategy[] = ['resource-version', 'entry']
const retry = { attempts: 3, baseDelayMs: 0 }
const ADDRESS = '192.0.2.1'

type Opened = ReturnType<typeof open>

/** The first write takes effect, its answer is lost, and before the next look another writer has been there. */
function thenAnother({ api }: Opened, edit: (data: Record<string, string>) => void): void {
  api.afterPatch = () => {
    api.afterPatch = () => undefined
    api.change('pool', ({ data = {} }) => edit(data))
    throw new ApiFailure('transient', 'no answer')
  }
}

/** The first write is overtaken by another writer, so it has no effect; and its answer is lost. */
function overtakenBy({ api }: Opened, edit: (data: Record<string, string>) => void): void {
  api.before = (verb) => {
    if (verb !== 'patch') return
    api.before = () => undefined
    api.change('pool', ({ data = {} }) => edit(data))
    throw new ApiFailure('transient', 'no answer')
  }
}

for (const strategy of STRATEGIES) {
  describe(`an addition by ${strategy} whose answer is lost`, () => {
    const asked = { address: ADDRESS, username: 'u', platform: 'p', addressType: 'ip', machine: 'm' } as const
    const add = ({ pool }: Opened) => pool.add({ ...asked, strategy, retry })

    it('is done although somebody has taken the host since', async () => {
      const opened = open({})
      thenAnother(opened, (data) => {
        data[ADDRESS] = (data[ADDRESS] ?? '')
          .replace('available', 'in-use')
          .replace('test-id:', 'test-id: rival')
          .replace('allocated-at:', 'allocated-at: 2026-03-31T12:00:00Z')
          .replace(/last-updated: .*/, 'last-updated: 2026-03-31T12:00:00Z')
      })
      const { node, unchanged } = await add(opened)
      expect(unchanged).to.equal(true)
      expect(node).to.include({ address: ADDRESS, status: 'in-use', testId: 'rival' })
      expect(opened.api.patches).to.have.length(1)
    })

    for (const [what, other] of [
      ['another user', entry({ username: 'x', platform: 'p', machine: 'm' })],
      ['another platform', entry({ username: 'u', platform: 'x', machine: 'm' })],
      ['another machine', entry({ username: 'u', platform: 'p', machine: 'x' })],
      ['no YAML', '['],
    ] as const)
      it(`is refused where the host is there with ${what}, and says that it may have been its own`, async () => {
        const opened = open({})
        overtakenBy(opened, (data) => {
          data[ADDRESS] = other
        })
        const { message } = await failure(add(opened), 'EntryExists')
        expect(message).to.include('lost')
        expect(opened.data()[ADDRESS]).to.equal(other)
      })
  })

  describe(`a removal by ${strategy} whose answer is lost`, () => {
    const remove = ({ pool }: Opened) => pool.remove({ address: ADDRESS, force: true, strategy, retry })

    it('does not take out what somebody has added since, and says so', async () => {
      const opened = open({ [ADDRESS]: entry() })
      const anew = entry({ username: 'new' })
      thenAnother(opened, (data) => {
        data[ADDRESS] = anew
      })
      const { message } = await failure(remove(opened), 'AttemptsExhausted')
      expect(message).to.include(ADDRESS).and.to.include('lost').and.to.include('available')
      expect(opened.data()[ADDRESS]).to.equal(anew)
    })

    it('does not take out an entry that somebody has changed since', async () => {
      const opened = open({ [ADDRESS]: entry() })
      overtakenBy(opened, (data) => {
        data[ADDRESS] = held('rival')
      })
      await failure(remove(opened), 'AttemptsExhausted')
      expect(opened.data()[ADDRESS]).to.equal(held('rival'))
    })

    it('is tried again while the entry is the one that was to go', async () => {
      const opened = open({ [ADDRESS]: entry() })
      overtakenBy(opened, (data) => {
        data['192.0.2.2'] = entry()
      })
      const { unchanged } = await remove(opened)
      expect(unchanged).to.equal(undefined)
      expect(Object.keys(opened.data())).to.deep.equal(['192.0.2.2'])
    })

    it('decides again on an entry that changed before a write that was refused', async () => {
      const opened = open({ [ADDRESS]: entry() })
      opened.api.before = (verb) => {
        if (verb !== 'patch') return
        opened.api.before = () => undefined
        opened.api.change('pool', ({ data = {} }) => Object.assign(data, { [ADDRESS]: entry({ note: 'x' }) }))
      }
      await remove(opened)
      expect(opened.data()).to.deep.equal({})
    })
  })

  describe(`a move by ${strategy} whose answer is lost`, () => {
    it('is done where somebody has annotated the entry since', async () => {
      for (const [from, to, testId] of [
        [entry(), 'quarantined', undefined],
        [entry({ status: 'quarantined' }), 'available', undefined],
        [entry(), 'in-use', 't'],
        [held('t'), 'available', 't'],
      ] as const) {
        const opened = open({ [ADDRESS]: from })
        thenAnother(opened, (data) => {
          data[ADDRESS] = `${data[ADDRESS]}# checked\n`
        })
        const by = testId === undefined ? {} : { testId }
        const { node, unchanged } = await opened.pool.updateStatus({
          address: ADDRESS,
          to,
          ...by,
          strategy,
          retry,
        })
        expect(unchanged, to).to.equal(true)
        expect(node?.status).to.equal(to)
      }
    })

    for (const [what, since] of [
      ['quarantined the host', entry({ status: 'quarantined' })],
      ['taken the host', held('rival')],
    ] as const)
      it(`that gave a lease back is done where somebody has ${what} since`, async () => {
        const opened = open({ [ADDRESS]: held('t') })
        thenAnother(opened, (data) => {
          data[ADDRESS] = since
        })
        const asked = { address: ADDRESS, to: 'available', testId: 't', strategy, retry } as const
        expect(await opened.pool.updateStatus(asked)).to.include({ unchanged: true })
        expect(opened.data()[ADDRESS]).to.equal(since)
      })

    it('that gave a lease back is tried again while the lease stands', async () => {
      const opened = open({ [ADDRESS]: held('t') })
      overtakenBy(opened, (data) => {
        data[ADDRESS] = held('t', { 'last-updated': '2026-04-01T00:00:00Z' })
      })
      const asked = { address: ADDRESS, to: 'available', testId: 't', strategy, retry } as const
      const { node, unchanged } = await opened.pool.updateStatus(asked)
      expect(unchanged).to.equal(undefined)
      expect(node?.status).to.equal('available')
    })

    it('is not taken for done where another test has taken the host since', async () => {
      const opened = open({ [ADDRESS]: entry() })
      thenAnother(opened, (data) => {
        data[ADDRESS] = held('rival')
      })
      const asked = opened.pool.updateStatus({ address: ADDRESS, to: 'in-use', testId: 't', strategy, retry })
      await failure(asked, 'InvalidTransition')
    })
  })
}
