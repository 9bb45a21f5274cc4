import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiFailure } from '../api/api-failure.ts'
import type { Status } from '../contract/kubernetes.ts'
import type { PoolEntry, PoolStatus } from '../contract/pool.ts'
import { entry, failure, held, node, open } from './pool-fixture.ts'

const HOLDER = 't'
const TEXT: Readonly<Record<PoolStatus, string>> = {
  available: entry(),
  'in-use': held(HOLDER),
  quarantined: entry({ status: 'quarantined' }),
}

describe('transitions', () => {
  const table: readonly [from: PoolStatus, to: PoolStatus, by: string | undefined, outcome: string][] = [
    ['available', 'available', undefined, 'InvalidTransition'],
    ['available', 'in-use', HOLDER, 'done'],
    ['available', 'in-use', undefined, 'InvalidRequest'],
    ['available', 'quarantined', undefined, 'done'],
    ['in-use', 'available', HOLDER, 'done'],
    ['in-use', 'available', 'stranger', 'NotTheHolder'],
    ['in-use', 'available', undefined, 'InvalidRequest'],
    ['in-use', 'in-use', HOLDER, 'InvalidTransition'],
    ['in-use', 'quarantined', HOLDER, 'done'],
    ['in-use', 'quarantined', 'stranger', 'NotTheHolder'],
    ['in-use', 'quarantined', undefined, 'InvalidRequest'],
    ['quarantined', 'available', undefined, 'done'],
    ['quarantined', 'in-use', HOLDER, 'InvalidTransition'],
    ['quarantined', 'quarantined', undefined, 'InvalidTransition'],
  ]
  for (const [from, to, by, outcome] of table)
    it(`${from} to ${to} by ${by ?? 'anyone'}: ${outcome}`, async () => {
      const { pool, data } = open({ '192.0.2.1': TEXT[from] })
      const asked = pool.updateStatus({ address: '192.0.2.1', to, ...(by !== undefined && { testId: by }) })
      if (outcome === 'done') {
        expect((await asked).node?.status).to.equal(to)
        expect(data()['192.0.2.1']).to.include(`status: ${to}`)
        return
      }
      const { message } = await failure(asked, outcome as 'InvalidTransition')
      if (outcome === 'InvalidTransition') expect(message).to.include(`from ${from} to ${to}`)
      expect(data()['192.0.2.1']).to.equal(TEXT[from])
    })

  it('names new and in-use when a host is added as held', async () => {
    const request = {
      address: '192.0.2.9',
      username: 'u',
      platform: 'p',
      addressType: 'ip',
      status: 'in-use',
    } as const
    expect((await failure(open({}).pool.add(request), 'InvalidTransition')).message).to.include(
      'from new to in-use',
    )
  })

  it('names in-use and removed when a held host is removed without force', async () => {
    const { pool } = open({ '192.0.2.1': TEXT['in-use'] })
    const { message } = await failure(pool.remove({ address: '192.0.2.1' }), 'InvalidTransition')
    expect(message).to.include('from in-use to removed')
  })

  it('gives a named entry to nobody whose machine is held, or who holds one already', async () => {
    const mine = {
      '192.0.2.1': entry({ machine: 'm' }),
      '192.0.2.2': held('x', { machine: 'm' }),
      '192.0.2.3': held('y'),
    }
    const { pool } = open(mine)
    await failure(pool.updateStatus({ address: '192.0.2.1', to: 'in-use', testId: 't' }), 'NoneAvailable')
    await failure(pool.updateStatus({ address: '192.0.2.1', to: 'in-use', testId: 'y' }), 'InvalidRequest')
  })
})

describe('machines', () => {
  it('are told by a Node where an entry names none', async () => {
    const { api, pool } = open({ '192.0.2.1': held('x'), 'm.example': entry({ 'address-type': 'dns' }) })
    api.objects.set('nodes/n', node('n', ['192.0.2.1', 'M.example'], 'True'))
    await failure(pool.allocate({ testId: 't' }), 'NoneAvailable')
  })

  it('are told by their field alone where both name one', async () => {
    const both = { '192.0.2.1': held('x', { machine: 'a' }), '192.0.2.2': entry({ machine: 'b' }) }
    const { api, pool } = open(both)
    api.objects.set('nodes/n', node('n', ['192.0.2.1', '192.0.2.2'], 'True'))
    expect((await pool.allocate({ testId: 't' })).node?.address).to.equal('192.0.2.2')
  })

  it('stay set aside while another entry of theirs is quarantined, or malformed and not plainly free', async () => {
    const rest = { 'address-type': 'dns', machine: 'm' }
    for (const other of [entry({ ...rest, status: 'quarantined' }), entry({ ...rest, status: 'in-use' })]) {
      const { pool } = open({ '192.0.2.1': entry({ machine: 'm' }), 'm.example': other })
      await failure(pool.allocate({ testId: 't', addressType: 'ip' }), 'NoneAvailable')
    }
    const { pool } = open({
      '192.0.2.1': entry({ machine: 'm' }),
      'm.example': entry({ ...rest, username: '' }),
    })
    expect((await pool.allocate({ testId: 't' })).node?.address).to.equal('192.0.2.1')
  })

  it('are told by their field where Nodes are forbidden, and the log says so', async () => {
    const { api, journal, pool } = open({ '192.0.2.1': entry() })
    api.before = (verb) => {
      if (verb === 'list') throw new ApiFailure('forbidden', 'cannot list nodes', { code: 403 })
    }
    expect((await pool.allocate({ testId: 't' })).node?.address).to.equal('192.0.2.1')
    expect(JSON.stringify(journal.records)).to.include('cannot list nodes')
  })
})

describe('allocation', () => {
  it('answers another platform than the one held as a wrong request', async () => {
    const { pool } = open({ '192.0.2.1': held('t'), '192.0.2.2': entry({ platform: 'aws' }) })
    await failure(pool.allocate({ testId: 't', platform: 'aws' }), 'InvalidRequest')
  })

  it('names the platforms that exist', async () => {
    const { pool } = open({
      '192.0.2.1': entry({ platform: 'aws' }),
      '192.0.2.2': entry({ platform: 'azure' }),
    })
    const { message } = await failure(pool.allocate({ testId: 't', platform: 'gcp' }), 'PlatformMismatch')
    expect(message).to.include('aws, azure').and.include('gcp')
  })

  it('keeps its message short whatever the pool holds, and leaves nothing out uncounted', async () => {
    const data = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`198.18.0.${at}`, entry({ platform: `p${at}` })]),
    )
    const { pool } = open({ ...data, '192.0.2.1': '[' })
    const { message } = await failure(pool.allocate({ testId: 't', platform: 'gcp' }), 'PlatformMismatch')
    expect(message).to.include('and 192 more, 1 set aside as malformed').and.to.include('and 150 more.')
    expect(message.length).to.be.lessThan(1_500)
  })

  it('lets a host just given back rest', async () => {
    const { pool } = open({ '192.0.2.1': entry(), '192.0.2.2': entry() })
    const { node: first } = await pool.allocate({ testId: 'a' })
    await pool.release({ address: first?.address ?? '', testId: 'a' })
    const { node: second } = await pool.allocate({ testId: 'a' })
    expect(second?.address).to.not.equal(first?.address)
  })

  it('spreads tests that ask at once over the pool', async () => {
    const data = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`198.18.0.${at}`, entry()]))
    const chosen = new Set<string | undefined>()
    for (let at = 0; at < 40; at++)
      chosen.add((await open(data).pool.allocate({ testId: `t${at}` })).node?.address)
    expect(chosen.size).to.be.greaterThan(30)
  })

  it('passes over an entry whose text leaves no safe place, and takes the next', async () => {
    const awkward = entry().replace('test-id:\n', 'test-id: &x\n').replace('2026-03-31', '2020-03-31')
    const { pool, data } = open({ '192.0.2.1': awkward, '192.0.2.2': entry() })
    expect((await pool.allocate({ testId: 't' })).node?.address).to.equal('192.0.2.2')
    expect(data()['192.0.2.1']).to.equal(awkward)
  })

  for (const [what, testId] of [
    ['empty', ''],
    ['blank', ' \n'],
    ['absurdly long', 'x'.repeat(1025)],
    ['half a character', 'x\ud83d'],
  ] as const)
    it(`refuses a test id that is ${what}, before it reads anything`, async () => {
      const { api, pool } = open({ '192.0.2.1': entry() })
      await failure(pool.allocate({ testId }), 'InvalidRequest')
      expect(api.reads).to.deep.equal([])
    })

  it('refuses policies that make no sense', async () => {
    const { pool } = open({ '192.0.2.1': entry() })
    for (const retry of [
      { attempts: 0 },
      { attempts: 1.5 },
      { attempts: Number.NaN },
      { baseDelayMs: -1 },
      { deadlineMs: 0 },
    ])
      await failure(pool.allocate({ testId: 't', retry }), 'InvalidRequest')
  })
})

describe('reclaim', () => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

  it('counts age from last-updated, or from the allocation where that is absent', async () => {
    const { pool } = open({
      '192.0.2.1': held('old', { 'allocated-at': ago(900), 'last-updated': ago(600) }),
      '192.0.2.2': held('renewed', { 'allocated-at': ago(900), 'last-updated': ago(5) }),
      '192.0.2.3': held('never renewed', { 'allocated-at': ago(900), 'last-updated': '' }),
    })
    const { reclaimed } = await pool.reclaim({ olderThanSeconds: 300 })
    expect(reclaimed.map(({ address }) => address)).to.deep.equal(['192.0.2.1', '192.0.2.3'])
  })

  it('keeps leases whose age is in doubt, and says why', async () => {
    const { pool } = open({
      '192.0.2.1': held('ahead', { 'last-updated': ago(-600) }),
      '192.0.2.2': held('broken', { 'last-updated': 'yesterday' }),
      '192.0.2.3': held('begins later', { 'allocated-at': ago(-600) }),
    })
    const { reclaimed, kept } = await pool.reclaim({ olderThanSeconds: 0 })
    expect(reclaimed).to.deep.equal([])
    expect(kept.map(({ address }) => address).toSorted()).to.deep.equal([
      '192.0.2.1',
      '192.0.2.2',
      '192.0.2.3',
    ])
    expect(kept.every(({ reason }) => /future|malformed/.test(reason))).to.equal(true)
  })

  it('goes on past a lease whose text leaves no safe place, and says so', async () => {
    const fields = held('t')
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('last-updated'))
    const odd = fields.map((line) => `? ${line.replace(': ', '\n: ')}\n`).join('')
    const { pool, data } = open({ '192.0.2.1': odd, '192.0.2.2': held('u') })
    const { reclaimed, kept } = await pool.reclaim({ olderThanSeconds: 60 })
    expect(reclaimed.map(({ address }) => address)).to.deep.equal(['192.0.2.2'])
    expect(kept.map(({ address }) => address)).to.deep.equal(['192.0.2.1'])
    expect(data()['192.0.2.1']).to.equal(odd)
  })

  for (const [what, changed] of [
    ['a holder who renews meanwhile', held('old', { 'last-updated': '2026-04-01T00:00:00Z' })],
    ['a new holder', held('next')],
    ['the same test under a new lease', held('old', { 'allocated-at': '2026-04-01T00:00:00Z' })],
  ] as const)
    it(`never robs ${what}`, async () => {
      const { api, pool, data } = open({ '192.0.2.1': held('old') })
      api.before = (verb) => {
        if (verb !== 'patch') return
        api.before = () => undefined
        api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.1': changed }))
      }
      const { reclaimed } = await pool.reclaim({ olderThanSeconds: 60, retry: { baseDelayMs: 0 } })
      expect(reclaimed).to.deep.equal([])
      expect(data()['192.0.2.1']).to.equal(changed)
    })
})

describe('what one operation may not do to another', () => {
  const retry = { attempts: 5, baseDelayMs: 0 }

  it('moves the lease it saw first, not a later one of the same test', async () => {
    const { api, pool, data } = open({ '192.0.2.1': held('t') })
    const later = held('t', { 'allocated-at': '2026-04-01T00:00:00Z' })
    api.afterPatch = () => {
      api.afterPatch = () => undefined
      api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.1': later }))
      throw new ApiFailure('transient', 'no answer')
    }
    const { unchanged } = await pool.updateStatus({
      address: '192.0.2.1',
      to: 'available',
      testId: 't',
      retry,
    })
    expect(unchanged).to.equal(true)
    expect(data()['192.0.2.1']).to.equal(later)
  })

  it('never answers a lease that a third caller of the same test is about to give back', async () => {
    const { api, pool, data } = open({ '192.0.2.1': entry(), '192.0.2.2': entry({ status: 'quarantined' }) })
    const long = '2020-03-31T12:00:00Z'
    const first = held('t', { 'allocated-at': long, 'last-updated': long })
    let answered: string | undefined
    let patches = 0
    api.before = async (verb) => {
      if (verb !== 'patch') return
      patches++
      // Its decision is the older one, but another caller's lease lands first.
      if (patches === 1) api.change('pool', ({ data = {} }) => Object.assign(data, { '192.0.2.2': first }))
      // Before it gives its own back, a third caller asks.
      if (patches === 2)
        answered = (await open(data(), undefined, api).pool.allocate({ testId: 't', retry })).node?.address
    }
    await pool.allocate({ testId: 't', strategy: 'entry', retry })
    expect(answered).to.equal('192.0.2.1')
    expect(data()[answered ?? ''])
      .to.include('status: in-use')
      .and.to.include('test-id: t')
  })

  it('renews visibly within the very millisecond of the last change, or nobody who rests on that text would notice', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-31T12:00:00Z') })
    const taken = open({ '192.0.2.1': entry() })
    const { node } = await taken.pool.allocate({ testId: 't', retry })
    const before = taken.data()['192.0.2.1']
    const allocatedAt = node?.allocatedAt ?? ''
    const renewed = await taken.pool.renew({ address: '192.0.2.1', testId: 't', allocatedAt, retry })
    expect(renewed.node?.allocatedAt).to.equal(allocatedAt)
    expect(taken.data()['192.0.2.1']).not.to.equal(before)

    const leases = open({ '192.0.2.1': before ?? '', '192.0.2.2': before ?? '' })
    const { node: given } = await leases.pool.allocate({ testId: 't', retry })
    expect(leases.data()[given?.address ?? '']).not.to.equal(before)
  })

  describe('of one test that asks several times at once,', () => {
    const FIRST = '192.0.2.1'
    const SECOND = '192.0.2.2'
    const long = '2020-03-31T12:00:00Z'
    const another = held('t', { 'allocated-at': long, 'last-updated': long })
    const one = () => open({ [FIRST]: entry(), [SECOND]: entry({ status: 'quarantined' }) })
    const ask = ({ pool }: ReturnType<typeof open>) =>
      pool.allocate({ testId: 't', strategy: 'entry', retry })
    const put = ({ api }: ReturnType<typeof open>, address: string, text: string) =>
      api.change('pool', ({ data = {} }) => Object.assign(data, { [address]: text }))
    /** Whoever asks now, beside the one that is under way. */
    const askBeside = async ({ api, data }: ReturnType<typeof open>) =>
      (await ask(open(data(), undefined, api))).node
    /** The n-th patch is this. */
    const before = ({ api }: ReturnType<typeof open>, count: number, act: () => void | Promise<void>) => {
      let patches = 0
      api.before = (verb) => (verb === 'patch' && ++patches === count ? act() : undefined)
    }
    /** The first write lands, then others act, and its answer is lost. */
    const loseAnswer = ({ api }: ReturnType<typeof open>, act: () => void) => {
      api.afterPatch = () => {
        api.afterPatch = () => undefined
        act()
        throw new ApiFailure('transient', 'no answer')
      }
    }
    /** The very lease: one that was given back and taken again could have been somebody else's in between. */
    const expectToStand = ({ data }: ReturnType<typeof open>, told: PoolEntry | undefined) =>
      expect(data()[told?.address ?? ''])
        .to.include('test-id: t')
        .and.to.include(`allocated-at: ${told?.allocatedAt}`)

    it('none gives back a lease once the one it would go for is gone: another may have been told of what is left', async () => {
      const opened = one()
      let told: PoolEntry | undefined
      before(opened, 1, () => {
        put(opened, SECOND, another)
        before(opened, 1, async () => {
          put(opened, SECOND, entry({ status: 'quarantined' }))
          told = await askBeside(opened)
        })
      })
      const { node } = await ask(opened)
      expect([told?.address, node?.address]).to.deep.equal([FIRST, FIRST])
      expectToStand(opened, told)
    })

    it('one whose answer was lost does not give back what another, who gave his own back, was told of', async () => {
      const opened = one()
      let told: PoolEntry | undefined
      loseAnswer(opened, () => put(opened, SECOND, another))
      before(opened, 2, async () => {
        put(opened, SECOND, entry({ status: 'quarantined' }))
        told = await askBeside(opened)
      })
      const { node } = await ask(opened)
      expect([told?.address, node?.address]).to.deep.equal([FIRST, FIRST])
      expectToStand(opened, told)
    })

    it('one whose answer was lost does not give back what another was told of before a third lease came', async () => {
      const opened = one()
      let told: PoolEntry | undefined
      loseAnswer(opened, () => undefined)
      opened.api.before = async (verb) => {
        // Its second look: the lease is there alone, and somebody is told of it.
        if (verb !== 'get' || opened.api.patches.length !== 1) return
        opened.api.before = () => undefined
        told = await askBeside(opened)
        put(opened, SECOND, another)
      }
      await ask(opened)
      expect(told?.address).to.equal(FIRST)
      expectToStand(opened, told)
    })
  })
})

describe('the edge of 1 MiB', () => {
  const padding = (size: number) => ({ 'filler.example': 'x'.repeat(size) })
  const full = (left: number) => ({
    '192.0.2.1': entry(),
    ...padding(1024 * 1024 - Buffer.byteLength(entry()) - left),
  })

  it('refuses what would cross it, and writes nothing', async () => {
    const { api, pool } = open(full(10))
    const { message } = await failure(pool.allocate({ testId: 'longer than what is left' }), 'PoolFull')
    expect(message).to.include('192.0.2.1').and.include('1048576')
    expect(api.patches).to.deep.equal([])
  })

  it('takes the API’s own word for it too', async () => {
    const { api, pool } = open({ '192.0.2.1': entry() })
    const status: Status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      details: { causes: [{ reason: 'FieldValueTooLong' }] },
    }
    for (const details of [{ code: 413 }, { code: 422, status }]) {
      api.before = (verb) => {
        if (verb === 'patch') throw new ApiFailure('rejected', 'too long', details)
      }
      await failure(pool.allocate({ testId: 't' }), 'PoolFull')
    }
  })

  const lease = held('t')
  const without = lease.replace(/last-updated: .*\n/, '')
  for (const [what, text] of [
    ['that was never updated', without],
    ['whose last update is empty', `${without}last-updated:\n`],
    [
      'as JSON',
      '{"status":"in-use","username":"u","address-type":"ip","platform":"p","test-id":"t","allocated-at":"2026-03-31T12:00:00Z"}',
    ],
    ['as usual', lease],
  ] as const) {
    const crammed = () => open({ '192.0.2.1': text, ...padding(1024 * 1024 - Buffer.byteLength(text)) })

    it(`is no reason to keep a lease ${what}`, async () => {
      for (const failed of [false, true]) {
        const { pool, data } = crammed()
        const { node } = await pool.release({ address: '192.0.2.1', testId: 't', failed })
        expect(node?.status).to.equal(failed ? 'quarantined' : 'available')
        expect(node?.testId).to.equal(undefined)
        expect(Buffer.byteLength(data()['192.0.2.1'] ?? '')).to.be.at.most(Buffer.byteLength(text))
      }
      const moved = await crammed().pool.updateStatus({ address: '192.0.2.1', to: 'available', testId: 't' })
      expect(moved.node?.status).to.equal('available')
      const { reclaimed } = await crammed().pool.reclaim({ olderThanSeconds: 60 })
      expect(reclaimed.map(({ status }) => status)).to.deep.equal(['available'])
    })
  }

  it('lets what makes it smaller pass', async () => {
    const { pool } = open({ ...full(0), '192.0.2.1': entry() })
    await pool.remove({ address: '192.0.2.1' })
  })
})

describe('the rest of the pool', () => {
  it('counts and lists by state, platform and fault, whatever the keys are called', async () => {
    const data = JSON.parse(
      JSON.stringify({ '192.0.2.1': entry(), '192.0.2.2': held('x', { platform: 'constructor' }) }).replace(
        '{',
        '{"__proto__": "x",',
      ),
    ) as Record<string, string>
    const { pool } = open(data)
    expect(await pool.stats()).to.deep.equal({
      enabled: true,
      total: 3,
      available: 1,
      inUse: 1,
      quarantined: 0,
      malformed: 1,
      byPlatform: { vsphere: 1, constructor: 1 },
    })
    const { entries, malformed } = await pool.list()
    expect(entries.map(({ address }) => address)).to.deep.equal(['192.0.2.1', '192.0.2.2'])
    expect(malformed.map(({ address }) => address)).to.deep.equal(['__proto__'])
  })

  it('adds the first entry to a ConfigMap without data', async () => {
    const { api, pool, data } = open({})
    api.change('pool', (configMap) => {
      delete configMap.data
    })
    await pool.add({
      address: 'win.example',
      username: 'a # b',
      platform: 'no',
      addressType: 'dns',
      machine: 'm: 1',
    })
    const [added] = (await pool.list()).entries
    expect(added).to.include({ username: 'a # b', platform: 'no', machine: 'm: 1', status: 'available' })
    expect(Object.keys(data())).to.deep.equal(['win.example'])
  })

  for (const [address, reason] of [
    ['2001:db8::1', ':'],
    ['Win.example', 'upper-case'],
    ['win_1', 'underscore'],
    ['192.0.2.256', 'IPv4'],
    ['', 'empty'],
  ] as const)
    it(`refuses to add ${address || 'nothing'}, with the reason`, async () => {
      const { api, pool } = open({})
      const request = { address, username: 'u', platform: 'p', addressType: 'ip' } as const
      expect((await failure(pool.add(request), 'AddressRefused')).message).to.include(reason)
      expect(api.reads).to.deep.equal([])
    })

  it('touches nothing that it cannot read', async () => {
    const { api, pool } = open({ '192.0.2.1': 'status: {' })
    const address = '192.0.2.1'
    await failure(pool.release({ address, testId: 't' }), 'EntryMalformed')
    await failure(pool.remove({ address, force: true }), 'EntryMalformed')
    await failure(pool.updateStatus({ address, to: 'available' }), 'EntryMalformed')
    await failure(pool.add({ address, username: 'u', platform: 'p', addressType: 'ip' }), 'EntryExists')
    expect(api.patches).to.deep.equal([])
  })

  it('tells a missing namespace from a missing ConfigMap, if it may look', async () => {
    const { api, pool } = open({})
    api.objects.delete('configmaps/pool')
    await failure(pool.list(), 'PoolMissing')
    expect(await pool.stats()).to.include({ enabled: false, total: 0 })
    api.objects.delete('namespaces/windows')
    await failure(pool.list(), 'NamespaceMissing')
  })
})
