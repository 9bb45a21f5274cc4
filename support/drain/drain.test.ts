import { afterEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { failure } from '../../src/kube/scripted-server.ts'
import { Drain, type DrainProgress, type DrainRequest } from './drain.ts'
import { DrainIncompleteError, DrainRefusedError } from './drain-errors.ts'
import type { DrainedPod } from './drained-pod.ts'
import { type Answer, refusedByBudget, ScriptedNode } from './scripted-node.ts'

/** More than any test waits: a retry that comes before it came for another reason. */
const HOUR_S = 3_600

let node: ScriptedNode
const told: DrainProgress[] = []

async function start(...pods: DrainedPod[]): Promise<void> {
  told.length = 0
  node = new ScriptedNode(pods)
  await node.start()
}
afterEach(() => node.stop())

function drain(request: Partial<DrainRequest> = {}): Drain {
  return new Drain({
    kube: node.kube,
    cordons: node,
    node: 'n',
    signal: AbortSignal.timeout(10_000),
    onProgress: (progress) => {
      told.push(progress)
    },
    ...request,
  })
}

function pod(
  name: string,
  of: { owner?: string | null; leaving?: boolean; local?: boolean } = {},
): DrainedPod {
  const { owner = 'ReplicaSet' } = of
  return {
    metadata: {
      name,
      namespace: 'ns',
      uid: `uid-${name}`,
      ...(owner && {
        ownerReferences: [{ apiVersion: 'apps/v1', kind: owner, name: 'agent', controller: true }],
      }),
      ...(of.leaving && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: { nodeName: 'n', volumes: of.local ? [{ emptyDir: {} }] : [] },
    status: { phase: 'Running' },
  }
}

/** What was told of one pod, in order. */
const course = (name: string): string[] => told.filter((one) => one.pod.name === name).map(({ what }) => what)
const names = (pods: readonly { readonly name: string }[]): string[] => pods.map(({ name }) => name)
const error = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('it did not fail'),
    (e) => e,
  )
const next = (...answers: Answer[]): void => {
  node.answers = [...answers.map((answer) => () => answer), (asked) => node.granted(asked)]
}

describe('a drain', () => {
  it('closes the node, evicts each pod by its uid, and is done when all are gone', async () => {
    await start(pod('web'), pod('agent-1', { owner: 'DaemonSet' }))
    const { gone, left } = await drain().run()
    expect(node.cordons).to.deep.equal(['cordon n'])
    expect(node.evictions).to.deep.equal([
      { path: '/api/v1/namespaces/ns/pods/web/eviction', uid: 'uid-web', gracePeriodSeconds: undefined },
    ])
    expect(names(gone)).to.deep.equal(['web'])
    expect(left.map(({ pod: { name }, why }) => `${name}: ${why}`)).to.deep.equal([
      'agent-1: its DaemonSet would make it anew',
    ])
    expect([course('web'), course('agent-1')]).to.deep.equal([['asked', 'evicted', 'gone'], ['left']])
  })

  it('refuses before anything is evicted, and names all that it refuses', async () => {
    await start(pod('web'), pod('bare', { owner: null }), pod('cache', { local: true }))
    const refusal = await error(drain().run())
    expect(refusal).to.be.instanceOf(DrainRefusedError)
    expect(refusal.message).to.equal(
      'node n is not drained, and nothing was evicted: pod ns/bare (nobody would replace it), ' +
        'pod ns/cache (its local data would be lost)',
    )
    expect(node.evictions).to.deep.equal([])
  })

  it('is undone by opening the node, once, and also after it failed', async () => {
    await start(pod('bare', { owner: null }))
    const refused = drain()
    await error(refused.run())
    await refused.undo()
    await refused.undo()
    expect(node.cordons).to.deep.equal(['cordon n', 'uncordon n'])
  })

  it('leaves a cordon that was there before', async () => {
    await start()
    node.isCordoned = true
    const again = drain()
    await again.run()
    await again.undo()
    expect(node.cordons).to.deep.equal([])
  })

  it('asks for the pods that a label selects, and with the grace that was asked for', async () => {
    await start(pod('web'))
    await drain({ pods: 'app=web', gracePeriodSeconds: 3 }).run()
    expect(node.labelSelector).to.equal('app=web')
    expect(node.evictions[0]?.gracePeriodSeconds).to.equal(3)
  })

  it('waits until the very pod is gone, not for its name', async () => {
    await start(pod('game', { owner: 'StatefulSet' }))
    node.answers = [
      (asked) => (request, response) => {
        node.granted(asked)(request, response)
        const again = pod('game', { owner: 'StatefulSet' })
        node.put({ ...again, metadata: { ...again.metadata, uid: 'uid-next' } })
      },
    ]
    expect(names((await drain().run()).gone)).to.deep.equal(['game'])
  })

  it('is not done while a pod that was evicted still runs', async () => {
    await start(pod('web'))
    const leaving = { ...pod('web', { leaving: true }) }
    node.answers = [
      () => (request, response) => {
        failure(201, '')(request, response)
        node.put(leaving)
      },
    ]
    const incomplete = await error(drain({ limitMs: 300 }).run())
    expect(incomplete.message).to.include('pod ns/web (it was evicted and has not ended yet)')
  })

  it('waits for a pod that is on its way out already', async () => {
    await start(pod('web', { leaving: true }))
    node.answers = [() => failure(201, '')]
    const limit = await error(drain({ limitMs: 300 }).run())
    expect(limit).to.be.instanceOf(DrainIncompleteError)
    const draining = drain({
      onProgress: ({ what }) => {
        if (what === 'evicted') node.remove('uid-web')
      },
    })
    expect(names((await draining.run()).gone)).to.deep.equal(['web'])
  })

  it('asks again when the budget changes, however long the API names', async () => {
    await start(pod('web'))
    const refuse = refusedByBudget(HOUR_S)
    // The first change is the list of what there is; the second is one that comes later.
    next(refuse, (request, response) => {
      refuse(request, response)
      setImmediate(() => node.budgetChanged())
    })
    await drain().run()
    expect(course('web')).to.deep.equal(['asked', 'refused for now', 'refused for now', 'evicted', 'gone'])
    expect(told[1]?.why).to.include('The disruption budget budget needs 1 healthy pods')
  })

  for (const [what, answer, delay] of [
    [
      'honours the time that a busy API names',
      failure(429, 'TooManyRequests', { retryAfterSeconds: 7 }),
      7_000,
    ],
    ['waits as long as kubectl where the API names none', refusedByBudget(), 5_000],
  ] as const)
    it(what, async () => {
      await start(pod('web'))
      node.answers = [() => answer]
      await error(drain({ limitMs: 300 }).run())
      expect(told.find((one) => one.what === 'refused for now')?.why).to.include(`within ${delay} ms`)
    })

  it('doesn’t ask a busy API again because a budget changed', async () => {
    await start(pod('web'))
    node.answers = [() => failure(429, 'TooManyRequests', { retryAfterSeconds: HOUR_S })]
    const limit = error(drain({ limitMs: 500 }).run())
    node.budgetChanged()
    expect((await limit).message).to.include('429: TooManyRequests for the test')
    expect(node.evictions).to.have.length(1)
  })

  for (const [what, answer] of [
    ['404', failure(404, 'NotFound')],
    ['409 and another pod of its name', failure(409, 'Conflict')],
  ] as const)
    it(`takes ${what} for gone`, async () => {
      await start(pod('web'))
      next((request, response) => {
        node.remove('uid-web')
        node.put({ ...pod('web'), metadata: { ...pod('web').metadata, uid: 'uid-next' } })
        answer(request, response)
      })
      await drain().run()
      expect(node.evictions).to.have.length(1)
    })

  it('asks again after 409 for the same pod, and after an answer that was lost', async () => {
    await start(pod('web'))
    next(failure(409, 'Conflict'), (_, response) => response.destroy(), failure(503, 'ServiceUnavailable'))
    await drain().run()
    expect(node.evictions).to.have.length(4)
  })

  it('waits for the end of a namespace that takes its pods', async () => {
    await start(pod('web'))
    const causes = [{ reason: 'NamespaceTerminating', message: 'namespace ns is being terminated' }]
    next((request, response) => {
      failure(403, 'Forbidden', { causes })(request, response)
      node.put(pod('web', { leaving: true }))
      setImmediate(() => node.remove('uid-web'))
    })
    expect(names((await drain().run()).gone)).to.deep.equal(['web'])
    expect(node.evictions).to.have.length(1)
  })

  for (const [what, answer] of [
    ['another 403', failure(403, 'Forbidden')],
    ['500, as for a pod with two budgets', failure(500, 'InternalError')],
  ] as const)
    it(`ends with the pod’s name after ${what}, once all others are gone`, async () => {
      await start(pod('first'), pod('second'))
      node.answers = [(asked) => (asked.uid === 'uid-first' ? answer : node.granted(asked))]
      const incomplete = await error(drain().run())
      expect(incomplete).to.be.instanceOf(DrainIncompleteError)
      expect(incomplete.message).to.include('pod ns/first (').and.not.to.include('second')
      expect(course('second')).to.deep.equal(['asked', 'evicted', 'gone'])
    })

  it('says at its limit what forbade it', async () => {
    await start(pod('web'))
    node.answers = [() => refusedByBudget(HOUR_S)]
    const incomplete = await error(drain({ limitMs: 500 }).run())
    expect(incomplete.message).to.match(
      /^node n is not drained, after 500 ms: pod ns\/web \(429: .* needs 1 healthy/,
    )
  })

  it('ends with the reason of an abort, under way and before', async () => {
    await start(pod('web'))
    const controller = new AbortController()
    node.answers = [
      () => (request, response) => {
        refusedByBudget(HOUR_S)(request, response)
        controller.abort(new Error('enough'))
      },
    ]
    const { signal } = controller
    expect((await error(drain({ signal }).run())).message).to.equal('enough')
    expect((await error(drain({ signal }).run())).message).to.equal('enough')
    expect(node.cordons).to.deep.equal(['cordon n'])
  })

  it('notices what went while its watch was interrupted', async () => {
    await start(pod('web'))
    node.answers = [
      () => async (request, response) => {
        await node.watched
        failure(201, '')(request, response)
        node.loseHistory()
        node.remove('uid-web')
      },
    ]
    expect(names((await drain().run()).gone)).to.deep.equal(['web'])
  })
})
