import { after, afterEach, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type ApiForTests, startApi } from '../../clusters/embedded/api-for-tests.ts'
import { HOLDER_ANNOTATION, NODES_IN_USE_LABEL } from '../../src/contract/names.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { LEASES } from './held-lease.ts'
import type { Holder } from './holder.ts'
import type { Lease } from './lease-observation.ts'
import { acquisitionOf, BRIEF, elsewhere, leaveLease, livingHolder } from './leases-for-tests.ts'
import { holdNodes, removeEndedUsers, useNodes } from './node-users.ts'
import { type Acquisition, NODES_DOMAIN, takeTurn } from './turn.ts'

const TURN = 'poolwright-nodes'
const limit = AbortSignal.timeout(60_000)

let api: ApiForTests
let kube: KubeClient

before(async () => {
  api = await startApi()
  kube = api.kube
})
after(() => api.close())
afterEach(async () => {
  for (const name of await names()) await kube.request({ method: 'DELETE', path: `${LEASES}/${name}` })
})

const acquisition = (run: string, change?: Partial<Acquisition>): Acquisition =>
  acquisitionOf(kube, run, limit, change)

async function names(): Promise<readonly (string | undefined)[]> {
  const { objects } = await listAll<Lease>(kube, { path: LEASES })
  return objects.map(({ metadata }) => metadata?.name)
}

/** What a scenario left that used the nodes. */
const left = (name: string, holder: Holder, durationS: number): Promise<void> =>
  leaveLease(kube, `${TURN}-${name}`, holder, durationS, { [NODES_IN_USE_LABEL]: '' })

describe('the nodes', () => {
  it('are used side by side, each with a lease that goes with it', async () => {
    const one = await useNodes(acquisition('one'), 'a')
    const two = await useNodes(acquisition('two'), 'b')
    expect(await names()).to.have.members(['poolwright-nodes-a', 'poolwright-nodes-b'])
    await one.release(limit)
    await two.release(limit)
    expect(await names()).to.deep.equal([])
  })

  it('are had alone once nobody uses them any more, and nobody begins to while that is waited for', async () => {
    const order: string[] = []
    const user = await useNodes(acquisition('user'), 'a')
    const driller = Promise.withResolvers<string>()
    const alone = holdNodes(acquisition('drill', { say: driller.resolve })).then((lease) => {
      order.push('the drill has them')
      return lease
    })
    expect(await driller.promise).to.match(/^waiting for the nodes: run user\/0 on .* uses them$/)
    const late = Promise.withResolvers<string>()
    const next = useNodes(acquisition('next', { say: late.resolve }), 'b').then((lease) => {
      order.push('the next user has them')
      return lease
    })
    expect(await late.promise).to.match(/^waiting for the nodes: run drill\/0 on .* has them$/)
    order.push('the user ends')
    await user.release(limit)
    const drill = await alone
    order.push('the drill ends')
    await drill.release(limit)
    await (await next).release(limit)
    expect(order).to.deep.equal([
      'the user ends',
      'the drill has them',
      'the drill ends',
      'the next user has them',
    ])
    expect(await names()).to.deep.equal([])
  })

  it('are had alone at once where who used them has ended, on this machine', {
    skip: process.platform !== 'linux' && 'looks for processes in /proc',
  }, async () => {
    const { holder, kill } = await livingHolder('dead')
    await left('a', holder, 3_600)
    const waits = Promise.withResolvers<string>()
    const alone = holdNodes(acquisition('drill', { say: waits.resolve }))
    expect(await waits.promise).to.match(/run dead\/0/)
    await kill()
    await (await alone).release(limit)
    expect(await names()).to.deep.equal([])
  })

  it('are had alone where who used them elsewhere does not renew', async () => {
    await left('a', elsewhere('far'), 1)
    const signal = AbortSignal.timeout(20_000)
    const alone = await holdNodes(acquisition('drill', { signal })).catch(() => undefined)
    expect(await names()).to.deep.equal(['poolwright-nodes'])
    await alone?.release(limit)
  })

  it('are given back where the wait for users is given up', async () => {
    const user = await useNodes(acquisition('user'), 'a')
    const run = new AbortController()
    const failure = await holdNodes(
      acquisition('drill', { signal: run.signal, say: () => run.abort(new Error('interrupted')) }),
    ).catch((error: Error) => error.message)
    expect(failure).to.equal('interrupted')
    expect(await names()).to.deep.equal(['poolwright-nodes-a'])
    await user.release(limit)
  })

  it('are used only by whom the next to have them alone can see', async () => {
    const user = new KubeClient(kube.connection)
    const [get, create] = [user.get.bind(user), user.create.bind(user)]
    const isLost = Promise.withResolvers<void>()
    let isWritten = false
    // The turn becomes another's while the user's own lease is on its way.
    user.create = async <T>(...[path, object, signal]: Parameters<typeof create>): Promise<T> => {
      if (isWritten || (object as Lease).metadata?.name !== `${TURN}-a`)
        return create<T>(path, object, signal)
      const stranger = JSON.stringify(elsewhere('drill'))
      await kube.patch(
        `${LEASES}/${TURN}`,
        { metadata: { annotations: { [HOLDER_ANNOTATION]: stranger } } },
        'merge',
      )
      await isLost.promise
      const made = await create<T>(path, object, signal)
      isWritten = true
      return made
    }
    user.get = async <T>(...[path, signal]: Parameters<typeof get>): Promise<T> => {
      const read = await get<T>(path, signal)
      if (path === `${LEASES}/${TURN}`) setImmediate(isLost.resolve)
      return read
    }
    let isUsed = false
    const use = useNodes(acquisition('user', { kube: user, timing: BRIEF }), 'a').then((lease) => {
      isUsed = true
      return lease
    })
    while (!isUsed && ((await names()).includes(`${TURN}-a`) || !isWritten)) limit.throwIfAborted()
    expect(isUsed, 'used beside whoever took the turn').to.equal(false)
    // Which the other does not renew.
    await (await use).release(limit)
    user.close()
  })

  it('are used only by a lease that was still good once the turn was over', async () => {
    const user = new KubeClient(kube.connection)
    const remove = user.delete.bind(user)
    const goodForMs = BRIEF.durationS * 1_000 - BRIEF.marginMs
    let isSlow = true
    user.delete = async (path, ...rest) => {
      // An answer that takes longer than the lease written before it is good for.
      if (isSlow && path === `${LEASES}/${TURN}`) {
        const ranOutAt = performance.now() + goodForMs
        while (performance.now() < ranOutAt) await names()
      }
      isSlow = false
      return remove(path, ...rest)
    }
    const never = { ...BRIEF, renewEveryMs: 60_000 }
    const use = await useNodes(acquisition('user', { kube: user, timing: never }), 'a')
    expect(use.isHeld).to.equal(true)
    await use.release(limit)
    expect(await names()).to.deep.equal([])
    user.close()
  })

  it('are rid of what ended users left, and of no other', async () => {
    await left('gone', elsewhere('gone'), 3_600)
    await left('far', elsewhere('far'), 3_600)
    expect(await removeEndedUsers(kube, ['gone'], limit)).to.deep.equal([
      { object: 'Lease poolwright-nodes-gone', change: 'created', outcome: 'restored', note: '' },
    ])
    expect(await names()).to.deep.equal(['poolwright-nodes-far'])
  })

  it('can be restored while they are used', async () => {
    const user = await useNodes(acquisition('user'), 'a')
    const turn = await takeTurn(NODES_DOMAIN, acquisition('restore'))
    await turn.release(limit)
    await user.release(limit)
  })
})
