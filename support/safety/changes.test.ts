import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { type ApiForTests, startApi } from '../../clusters/embedded/api-for-tests.ts'
import type { ConfigMap, KubernetesObject } from '../../src/contract/kubernetes.ts'
import { JOURNAL_LABEL, RUN_LABEL, TEST_POOL_LABEL } from '../../src/contract/names.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { type ChangesSite, ClusterChanges } from './changes.ts'
import { type JournalEntry, parseEntry, type Taint } from './entry.ts'
import { NotAllowedError } from './guard.ts'
import { thisHolder } from './holder.ts'
import type { NodeSwitch } from './node-switch.ts'
import { UndoError } from './undo.ts'

const RUN = '20260331-120000-1f2e3d'
const NODES = '/api/v1/nodes'
const never = new AbortController().signal
const right = { assertHeld: () => undefined, signal: never }
const ours: Taint = { key: 'game', value: 'arena', effect: 'NoSchedule' }
const theirs: Taint = { key: 'disk', value: 'slow', effect: 'NoExecute', timeAdded: '2026-03-31T12:00:00Z' }
const planted: Taint = { key: 'autoscaler', effect: 'NoSchedule' }

let api: ApiForTests
let kube: KubeClient
let count = 0
let node: string
let path: string

before(async () => {
  api = await startApi()
  kube = api.kube
})
after(() => api.close())
beforeEach(async () => {
  node = `worker-${++count}`
  path = `${NODES}/${node}`
  await kube.delete(`/api/v1/namespaces/default/configmaps?labelSelector=${JOURNAL_LABEL}`)
  await makeNode({ labels: { [TEST_POOL_LABEL]: '' } })
})

async function makeNode(metadata: object, spec: object = { taints: [theirs] }): Promise<void> {
  await kube.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: node, ...metadata } })
  // A Node is made with a taint that says it is not ready.
  await kube.patch(path, { spec }, 'merge')
}

let sequence = 0
function changes(change: Partial<ChangesSite> = {}): ClusterChanges {
  return new ClusterChanges({
    kube,
    holder: thisHolder(RUN, '0'),
    scenario: 'pw-0123456789',
    labels: { [RUN_LABEL]: RUN },
    limits: { reaction: 5_000, step: 5_000 },
    signal: never,
    nextSequence: () => ++sequence,
    permit: () => right,
    ...change,
  })
}

/** A client whose requests a test sees, and may answer itself. */
function watched(
  see: (method: string, path: string, go: () => Promise<unknown>) => Promise<unknown>,
): KubeClient {
  const client = new KubeClient(kube.connection)
  const request = client.call.bind(client)
  Object.assign(client, {
    call: (asked: Parameters<typeof request>[0]) =>
      see(asked.method ?? 'GET', asked.path, () => request(asked)),
  })
  return client
}

async function journal(): Promise<JournalEntry[]> {
  const { objects } = await listAll<ConfigMap>(kube, {
    path: '/api/v1/namespaces/default/configmaps',
    labelSelector: JOURNAL_LABEL,
  })
  return objects.map(({ data }) => parseEntry(data?.entry))
}

async function taints(): Promise<unknown> {
  return ((await kube.get(path)).spec as { taints?: unknown }).taints
}

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('it succeeded'),
    (error: Error) => error,
  )

describe('changes of a cluster', () => {
  it('are in the journal before they are made, and gone from it when they are undone', async () => {
    const seen: string[] = []
    const client = watched(async (method, asked, go) => {
      if (method !== 'GET') seen.push(`${method} ${asked.replace(/poolwright-journal-.*/, 'ENTRY')}`)
      return go()
    })
    const made = changes({ kube: client })
    await made.taint(node, [ours])
    expect(seen).to.deep.equal(['POST /api/v1/namespaces/default/configmaps', `PATCH ${path}`])
    expect(await journal()).to.have.length(1)
    expect(await taints()).to.deep.equal([theirs, ours])
    await made.undo({ right, signal: never })
    expect(await taints()).to.deep.equal([theirs])
    expect(await journal()).to.deep.equal([])
    client.close()
  })

  it('undone leave what others planted meanwhile, and put back what was removed', async () => {
    const made = changes()
    await made.taint(node, [ours])
    await made.untaint(node, ['disk'])
    await kube.patch(path, { spec: { taints: [planted, ours], unschedulable: true } }, 'merge')
    await made.undo({ right, signal: never })
    expect(await taints()).to.deep.equal([planted, theirs])
    expect((await kube.get(path)).spec).to.have.property('unschedulable', true)
  })

  it('leave a cordon that was there before, and undo one that was not', async () => {
    const made = changes()
    await made.cordon(node)
    await made.undo({ right, signal: never })
    expect((await kube.get(path)).spec).not.to.have.property('unschedulable')
    await kube.patch(path, { spec: { unschedulable: true } }, 'merge')
    const again = changes()
    await again.cordon(node)
    expect(again.isClean, 'whether there is nothing to undo').to.equal(true)
    await again.undo({ right, signal: never })
    expect((await kube.get(path)).spec).to.have.property('unschedulable', true)
  })

  it('taken back by the scenario itself leave nothing in the journal', async () => {
    const made = changes()
    await made.cordon(node)
    await made.taint(node, [ours])
    await made.label(node, { zone: 'a' })
    expect(await journal(), 'entries').to.have.length(2)
    expect(made.pending).to.deep.equal([
      `Node ${node}: /spec/unschedulable from nothing to true, /metadata/labels/zone from nothing to "a"`,
      `Node ${node}: taint game=arena:NoSchedule added`,
    ])
    await made.uncordon(node)
    await made.untaint(node, ['game'])
    await made.label(node, { zone: null })
    expect(await journal()).to.deep.equal([])
    expect(made.isClean).to.equal(true)
  })

  it('are refused on a node that is neither marked nor of this run, before anything is written', async () => {
    await kube.patch(
      path,
      { metadata: { labels: { [TEST_POOL_LABEL]: null, [RUN_LABEL]: 'another' } } },
      'merge',
    )
    const made = changes({ nodes: {} as NodeSwitch })
    for (const change of [
      () => made.taint(node, [ours]),
      () => made.untaint(node, ['disk']),
      () => made.label(node, { a: 'b' }),
      () => made.cordon(node),
      () => made.patch(path, { spec: { unschedulable: true } }),
      () => made.stopKubelet(node),
      () => made.kill(node),
    ])
      expect(await failureOf(change()), String(change)).to.be.instanceOf(NotAllowedError)
    expect(await taints()).to.deep.equal([theirs])
    expect(await journal()).to.deep.equal([])
  })

  it('never give or take the marks by which we know what is ours', async () => {
    const made = changes()
    expect(await failureOf(made.label(node, { [TEST_POOL_LABEL]: null }))).to.be.instanceOf(NotAllowedError)
    expect(await failureOf(made.patch(path, { status: {} }))).to.be.instanceOf(NotAllowedError)
    const secret = '/api/v1/namespaces/kube-system/configmaps/x'
    expect(await failureOf(made.patch(secret, { data: {} }))).to.be.instanceOf(NotAllowedError)
  })

  it('never remove what the cluster itself says of a node, and do remove what the scenario said', async () => {
    const outOfService = { key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }
    await kube.patch(
      path,
      { spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] } },
      'merge',
    )
    const made = changes()
    await made.taint(node, [outOfService])
    await made.untaint(node, ['node.kubernetes.io/out-of-service'])
    expect(await failureOf(made.untaint(node, ['node.kubernetes.io/not-ready']))).to.be.instanceOf(
      NotAllowedError,
    )
    expect(await journal()).to.deep.equal([])
  })

  it('may be objects whose name has a colon', async () => {
    const made = changes()
    const name = `test:${node}`
    const failure = await failureOf(made.create({ apiVersion: 'v1', kind: 'Node', metadata: { name } }))
    // It is the API that says no here: a Node may not be called so.
    expect(failure.message).to.match(/422/)
    const climbing = { apiVersion: 'v1', kind: 'Node', metadata: { name: '../namespaces' } }
    expect(await failureOf(made.create(climbing))).to.be.instanceOf(NotAllowedError)
  })

  it('decide anew on a conflict, and keep what the other wrote', async () => {
    let conflicts = 2
    const client = watched(async (method, asked, go) => {
      if (method === 'PATCH' && asked === path && conflicts-- > 0)
        await kube.patch(path, { spec: { taints: [{ ...planted, value: `${conflicts}` }, theirs] } }, 'merge')
      return go()
    })
    const made = changes({ kube: client })
    await made.taint(node, [ours])
    expect(await taints()).to.deep.equal([{ ...planted, value: '0' }, theirs, ours])
    expect(await journal()).to.have.length(1)
    await made.undo({ right, signal: never })
    expect(await taints()).to.deep.equal([{ ...planted, value: '0' }, theirs])
    client.close()
  })

  it('undone while others write are undone all the same', async () => {
    let isUndoing = false
    const client = watched(async (method, asked, go) => {
      if (isUndoing && method === 'PATCH' && asked === path) {
        isUndoing = false
        await kube.patch(path, { spec: { taints: [planted, theirs, ours] } }, 'merge')
      }
      return go()
    })
    const made = changes({ kube: client })
    await made.taint(node, [ours])
    isUndoing = true
    await made.undo({ right, signal: never })
    expect(await taints()).to.deep.equal([planted, theirs])
    client.close()
  })

  it('whose answer was lost are known and undone as any other', async () => {
    const lost = new Set<string>()
    const client = watched(async (method, asked, go) => {
      const answer = await go()
      const key = `${method} ${asked.replace(/poolwright-journal-.*/, 'ENTRY')}`
      if (method === 'GET' || lost.has(key)) return answer
      lost.add(key)
      throw Object.assign(new Error('connection reset'), { name: 'KubeRequestError' })
    })
    const made = changes({ kube: client })
    await made.label(node, { zone: 'a' })
    await made.label(node, { zone: 'b' })
    const created = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `lost-${node}` } }
    await made.create(created)
    expect(await journal()).to.have.length(2)
    await made.undo({ right, signal: never })
    expect((await kube.get(path)).metadata?.labels).to.deep.equal({ [TEST_POOL_LABEL]: '' })
    expect((await kube.request({ path: `/api/v1/namespaces/lost-${node}` })).status).to.equal(404)
    expect(await journal()).to.deep.equal([])
    expect([...lost].length, 'kinds of writes whose answer was lost').to.be.greaterThan(4)
    client.close()
  })

  it('that the API refuses leave nothing in the journal', async () => {
    const made = changes()
    const refusal = await failureOf(made.label(node, { 'not a label': 'x' }))
    expect(refusal.message).to.match(/422/)
    expect(await journal()).to.deep.equal([])
    const taken = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } }
    expect((await failureOf(made.create(taken))).message).to.match(/AlreadyExists/)
    expect(await journal()).to.deep.equal([])
    expect(made.isClean).to.equal(true)
  })

  it('to what exists in a namespace, or is of no known kind, are not offered', async () => {
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }
    expect((await failureOf(changes().create(configMap))).message).to.match(/lives in a namespace/)
    const nonsense = { apiVersion: 'v1', kind: 'Nonsense', metadata: { name: 'x' } }
    expect((await failureOf(changes().create(nonsense))).message).to.match(/knows no Nonsense/)
  })

  it('of a node that was replaced are not done to its successor', async () => {
    const made = changes()
    await made.taint(node, [ours])
    await kube.delete(path)
    await makeNode({ labels: { [TEST_POOL_LABEL]: '' } }, { taints: [ours] })
    await made.undo({ right, signal: never })
    expect(await taints()).to.deep.equal([ours])
    expect(await journal()).to.deep.equal([])
  })

  it('are undone each apart: one that fails keeps its entry, is told with what to do, and skips no other', async () => {
    let isBroken = false
    const client = watched(async (method, asked, go) => {
      if (isBroken && method === 'PATCH' && asked === path) throw new Error('out of order')
      return go()
    })
    const made = changes({ kube: client })
    const other: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: `apart-${node}` },
    }
    await made.create(other)
    await made.taint(node, [ours])
    isBroken = true
    const failure = await failureOf(made.undo({ right, signal: never }))
    expect(failure).to.be.instanceOf(UndoError)
    expect(failure.message).to.include(`kubectl taint node ${node} game:NoSchedule-`)
    expect((await kube.request({ path: `/api/v1/namespaces/apart-${node}` })).status).to.equal(404)
    expect((await journal()).map(({ change }) => change.kind)).to.deep.equal(['taints'])
    isBroken = false
    await made.undo({ right, signal: never })
    expect(await taints()).to.deep.equal([theirs])
    client.close()
  })

  it('stop with the right to make them', async () => {
    const lost = new Error('the lease was lost')
    let isHeld = true
    const mayBeLost = {
      signal: never,
      assertHeld: () => {
        if (!isHeld) throw lost
      },
    }
    const client = watched(async (method, _asked, go) => {
      // Lost between the journal and the write.
      if (method === 'POST') isHeld = false
      return go()
    })
    const made = changes({ kube: client, permit: () => mayBeLost })
    expect(await failureOf(made.taint(node, [ours]))).to.equal(lost)
    expect(await taints()).to.deep.equal([theirs])
    await made.undo({ right, signal: never })
    expect(await journal()).to.deep.equal([])
    client.close()
  })

  it('are not undone without the right to', async () => {
    const made = changes()
    await made.taint(node, [ours])
    const lost = {
      signal: never,
      assertHeld: () => {
        throw new Error('the lease was lost')
      },
    }
    const failure = await failureOf(made.undo({ right: lost, signal: never }))
    expect(failure.message).to.match(/the lease was lost/)
    expect(await taints()).to.deep.equal([theirs, ours])
    expect(await journal()).to.have.length(1)
  })

  it('that made an object leave another one of its name alone', async () => {
    const name = `again-${node}`
    const object = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { [RUN_LABEL]: RUN } } }
    let isUndoing = false
    const client = watched(async (method, asked, go) => {
      if (isUndoing && method === 'DELETE' && asked === `${NODES}/${name}`) {
        await kube.delete(asked)
        await kube.create(NODES, object)
      }
      return go()
    })
    const made = changes({ kube: client })
    await made.create(object)
    isUndoing = true
    await made.undo({ right, signal: never })
    expect((await kube.request({ path: `${NODES}/${name}` })).status).to.equal(200)
    client.close()
  })

  it('are nobody’s any more when the scenario is over', async () => {
    const made = changes()
    await made.undo({ right, signal: never })
    expect((await failureOf(made.cordon(node))).message).to.match(/over/)
  })

  it('that switch a node off are journalled before, and undone until it is Ready', async () => {
    const operations: string[] = []
    const lease = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases`
    await kube.create(lease, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: node, namespace: 'kube-node-lease' },
      spec: { renewTime: '2026-03-31T12:00:00.000000Z' },
    })
    const comesBack = async () => {
      await kube.patch(`${lease}/${node}`, { spec: { renewTime: '2026-03-31T12:00:09.000000Z' } }, 'merge')
      await kube.patch(
        `${path}/status`,
        { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
        'merge',
      )
    }
    const note = (operation: string) => async () => {
      operations.push(`${operation} after ${(await journal()).length} entries`)
      if (operation === 'bringBack') await comesBack()
    }
    const nodes: NodeSwitch = {
      stopKubelet: note('stopKubelet'),
      startKubelet: note('startKubelet'),
      kill: note('kill'),
      bringBack: note('bringBack'),
    }
    const made = changes({ nodes })
    await made.kill(node)
    await made.undo({ right, signal: never })
    expect(operations).to.deep.equal(['kill after 1 entries', 'bringBack after 1 entries'])
    expect(await journal()).to.deep.equal([])
  })

  it('that another took back while the right was lost are not undone once more', async () => {
    const made = changes()
    await made.taint(node, [ours])
    const [configMap] = (
      await listAll(kube, { path: '/api/v1/namespaces/default/configmaps', labelSelector: JOURNAL_LABEL })
    ).objects
    await kube.delete(`/api/v1/namespaces/default/configmaps/${configMap?.metadata?.name}`)
    await made.undo({ right, signal: never, regained: true })
    expect(await taints(), 'taints, the same one as ours among them').to.deep.equal([theirs, ours])
  })
})
