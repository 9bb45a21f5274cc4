import { after, afterEach, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type ApiForTests, startApi } from '../../clusters/embedded/api-for-tests.ts'
import { HOLDER_ANNOTATION, NODES_LEASE } from '../../src/contract/names.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { type HeldLease, LEASES, LeaseLostError } from './held-lease.ts'
import { type Holder, thisHolder } from './holder.ts'
import type { Lease } from './lease-observation.ts'
import { acquisitionOf, BRIEF, elsewhere, leaveLease, livingHolder } from './leases-for-tests.ts'
import { type Acquisition, NODES_DOMAIN, takeTurn, WINDOWS_HOSTS_DOMAIN } from './turn.ts'

const LEASE = `${LEASES}/${NODES_LEASE}`
const limit = AbortSignal.timeout(60_000)

let api: ApiForTests
let kube: KubeClient

before(async () => {
  api = await startApi()
  kube = api.kube
})
after(() => api.close())
afterEach(async () => {
  await kube.request({ method: 'DELETE', path: LEASE })
})

const acquire = (run: string, change?: Partial<Acquisition>): Promise<HeldLease> =>
  takeTurn(NODES_DOMAIN, acquisitionOf(kube, run, limit, change))

const left = (holder: Holder, durationS: number): Promise<void> =>
  leaveLease(kube, NODES_LEASE, holder, durationS)

const holderNow = async (): Promise<string | undefined> => (await kube.get<Lease>(LEASE)).spec?.holderIdentity

const status = async (): Promise<number> => (await kube.request({ path: LEASE })).status

/** Resolves after the first look of somebody who began to wait for the Windows hosts just now: who began before has looked, too. */
async function untilAnotherHasLooked(run: string): Promise<void> {
  const hosts = await takeTurn(WINDOWS_HOSTS_DOMAIN, acquisitionOf(kube, run, limit))
  const told = Promise.withResolvers<string>()
  const other = takeTurn(WINDOWS_HOSTS_DOMAIN, acquisitionOf(kube, 'other', limit, { say: told.resolve }))
  await told.promise
  await hosts.release(limit)
  await (await other).release(limit)
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true }),
  )
}

describe('the lease of the nodes', () => {
  it('is one holder’s at a time; the next has it once it is given back, and is told whom it waits for', async () => {
    const order: string[] = []
    const first = await acquire('one')
    const waits = Promise.withResolvers<string>()
    const second = acquire('two', { say: waits.resolve }).then((lease) => {
      order.push('two has it')
      return lease
    })
    expect(await waits.promise).to.match(/^waiting for the nodes: run one\/0 on /)
    expect(await holderNow()).to.equal('one/0')
    order.push('one gives it back')
    await first.release(limit)
    await (await second).release(limit)
    expect(order).to.deep.equal(['one gives it back', 'two has it'])
    expect(await status(), 'the lease afterwards').to.equal(404)
  })

  it('is told of once a minute to whoever waits for the same run again and again', async () => {
    const said: string[] = []
    const wait = async (busy: string): Promise<void> => {
      const first = await acquire('busy')
      const second = acquire('patient', { say: (line) => said.push(line) })
      await untilAnotherHasLooked(busy)
      await first.release(limit)
      await (await second).release(limit)
    }
    await wait('first-with-hosts')
    expect(said).to.have.length(1)
    await wait('second-with-hosts')
    expect(said, 'the second time').to.have.length(1)
  })

  it('keeps nobody from what has another lease', async () => {
    const nodes = await acquire('one')
    const hosts = await takeTurn(WINDOWS_HOSTS_DOMAIN, acquisitionOf(kube, 'two', limit))
    expect(await holderNow()).to.equal('one/0')
    await Promise.all([nodes.release(limit), hosts.release(limit)])
  })

  it('is taken at once from a process that ended, and what that left is put right before anything else', {
    skip: process.platform !== 'linux' && 'looks for processes in /proc',
  }, async () => {
    const { holder, kill } = await livingHolder('dead')
    await left(holder, 3_600)
    const waits = Promise.withResolvers<string>()
    let holderAtTurn: string | undefined
    const taken = acquire('heir', {
      say: waits.resolve,
      onTurn: async (right) => {
        right.assertHeld()
        holderAtTurn = await holderNow()
      },
    })
    expect(await waits.promise).to.match(/run dead\/0/)
    await kill()
    const lease = await taken
    expect(holderAtTurn).to.equal('heir/0')
    await lease.release(limit)
  })

  it('is taken from a holder elsewhere whose renewals ended', async () => {
    await left(elsewhere('far'), 1)
    let takeovers = 0
    const lease = await acquire('heir', {
      onTurn: async () => {
        takeovers += 1
      },
    })
    expect(takeovers).to.equal(1)
    expect((await kube.get<Lease>(LEASE)).spec).to.include({ holderIdentity: 'heir/0', leaseTransitions: 1 })
    await lease.release(limit)
  })

  it('taken in an answer that was lost is ours all the same', async () => {
    await left(elsewhere('far'), 1)
    let isLost = false
    const client = new KubeClient(kube.connection)
    const call = client.call.bind(client)
    Object.assign(client, {
      call: async (request: Parameters<typeof call>[0]) => {
        const answer = await call(request)
        if (request.method !== 'PATCH' || isLost) return answer
        isLost = true
        throw Object.assign(new Error('connection reset'), { name: 'KubeRequestError' })
      },
    })
    let takeovers = 0
    const lease = await acquire('heir', {
      kube: client,
      onTurn: async () => {
        takeovers += 1
      },
    })
    expect(takeovers).to.equal(1)
    await lease.release(limit)
    client.close()
  })

  it('is given back where what a dead holder left could not be put right', async () => {
    await left(elsewhere('far'), 1)
    const onTurn = async () => Promise.reject(new Error('a node is gone'))
    const failure = await acquire('heir', { onTurn }).catch((error: Error) => error.message)
    expect(failure).to.equal('a node is gone')
    expect(await status()).to.equal(404)
  })

  it('moves while it is held', async () => {
    const lease = await acquire('one', { timing: { ...BRIEF, durationS: 15 } })
    const first = (await kube.get<Lease>(LEASE)).metadata?.resourceVersion
    let now = first
    while (now === first) {
      limit.throwIfAborted()
      now = (await kube.get<Lease>(LEASE)).metadata?.resourceVersion
    }
    lease.assertHeld()
    await lease.release(limit)
    expect(await status()).to.equal(404)
  })

  it('that another took is lost, and left to that other', async () => {
    const lease = await acquire('one', { timing: BRIEF })
    const other = JSON.stringify({ ...thisHolder('two', '0') })
    const lost = aborted(lease.signal)
    await kube.patch(
      LEASE,
      { metadata: { annotations: { [HOLDER_ANNOTATION]: other } }, spec: { holderIdentity: 'two/0' } },
      'merge',
    )
    expect(await lost).to.be.instanceOf(LeaseLostError)
    expect(() => lease.assertHeld()).to.throw(LeaseLostError)
    await lease.release(limit)
    expect(await holderNow()).to.equal('two/0')
  })

  it('given back after another took it unseen is left to that other', async () => {
    const lease = await acquire('one')
    const other = JSON.stringify(thisHolder('two', '0'))
    await kube.patch(
      LEASE,
      { metadata: { annotations: { [HOLDER_ANNOTATION]: other } }, spec: { holderIdentity: 'two/0' } },
      'merge',
    )
    await lease.release(limit)
    expect(await status(), 'the lease afterwards').to.equal(200)
    expect(await holderNow()).to.equal('two/0')
  })

  it('given back late is left to a later hold of the same worker', async () => {
    const earlier = await acquire('one')
    const later = await acquire('one')
    await earlier.release(limit)
    expect(await status(), 'the lease afterwards').to.equal(200)
    later.assertHeld()
    await later.release(limit)
    expect(await status()).to.equal(404)
  })

  it('is had only once what others left is put right, whether or not one of them still had it', async () => {
    const turns: string[] = []
    const onTurn = async () => void turns.push((await holderNow()) ?? 'nobody')
    const lease = await acquire('one', { onTurn })
    expect(turns).to.deep.equal(['one/0'])
    await lease.release(limit)
  })

  it('that somebody deleted is lost', async () => {
    const lease = await acquire('one', { timing: BRIEF })
    const lost = aborted(lease.signal)
    await kube.delete(LEASE)
    expect(await lost).to.have.property('message', 'the lease was lost: somebody deleted it')
  })

  it('that can’t be renewed is lost before it could be anybody else’s', async () => {
    let isCut = false
    const client = new KubeClient(kube.connection)
    const call = client.call.bind(client)
    Object.assign(client, {
      call: (request: Parameters<typeof call>[0]) => {
        if (!isCut) return call(request)
        throw Object.assign(new Error('no route'), { name: 'KubeRequestError' })
      },
    })
    const lease = await acquire('one', { kube: client, timing: BRIEF })
    isCut = true
    expect(await aborted(lease.signal)).to.have.property(
      'message',
      'the lease was lost: it could not be renewed',
    )
    expect(await holderNow(), 'who has it, as the others see it').to.equal('one/0')
    isCut = false
    await lease.release(limit)
    expect(await status(), 'what nobody took meanwhile').to.equal(404)
    client.close()
  })

  it('is waited for no longer than its signal says', async () => {
    const first = await acquire('whoever')
    const run = new AbortController()
    const failure = await acquire('two', {
      signal: run.signal,
      say: () => run.abort(new Error('interrupted')),
    }).catch((error: Error) => error.message)
    expect(failure).to.equal('interrupted')
    await first.release(limit)
  })
})
