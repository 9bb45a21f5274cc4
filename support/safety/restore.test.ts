import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { type ApiForTests, startApi } from '../../clusters/embedded/api-for-tests.ts'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { HOLDER_ANNOTATION, JOURNAL_LABEL, RUN_LABEL, TEST_POOL_LABEL } from '../../src/contract/names.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { thisMachine } from '../../src/process/process-table.ts'
import { type ChangesSite, ClusterChanges } from './changes.ts'
import { type Holder, thisHolder } from './holder.ts'
import type { Restored } from './restore.ts'
import { restoreCluster } from './restore-cluster.ts'

const RUN = '20260331-120000-1f2e3d'
const NODES = '/api/v1/nodes'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
const never = new AbortController().signal
const right = { assertHeld: () => undefined, signal: never }
const limits = { reaction: 5_000, step: 5_000 }

let api: ApiForTests
let kube: KubeClient
let dead: Holder
let count = 0
let node: string
let path: string

before(async () => {
  api = await startApi()
  kube = api.kube
  dead = await holderThatEnded()
})
after(() => api.close())
beforeEach(async () => {
  node = `worker-${++count}`
  path = `${NODES}/${node}`
  const metadata = { name: node, labels: { [TEST_POOL_LABEL]: '' } }
  await kube.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata })
  await kube.patch(path, { spec: { taints: null } }, 'merge')
})
afterEach(async () => {
  for (const each of [CONFIG_MAPS, LEASES]) await kube.request({ method: 'DELETE', path: each })
  for (const { metadata } of (await listAll(kube, { path: '/api/v1/namespaces', labelSelector: RUN_LABEL }))
    .objects)
    await kube.delete(`/api/v1/namespaces/${metadata?.name}`)
})

/** A process of this machine that lives no longer. */
async function holderThatEnded(): Promise<Holder> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const startTime = thisMachine.startTime(pid) ?? ''
  child.kill('SIGKILL')
  await once(child, 'exit')
  return { run: RUN, worker: '0', process: { ...thisHolder(RUN, '0').process, pid, startTime } }
}

let sequence = 0
/** Changes that nobody takes back any more. */
function changesOf(holder: Holder, change: Partial<ChangesSite> = {}): ClusterChanges {
  return new ClusterChanges({
    kube,
    holder,
    scenario: 'pw-1f2e3d0000-111111',
    labels: { [RUN_LABEL]: holder.run },
    limits,
    signal: never,
    nextSequence: () => ++sequence,
    permit: () => right,
    ...change,
  })
}

async function restore(
  change: Partial<Parameters<typeof restoreCluster>[0]> = {},
): Promise<readonly Restored[]> {
  const cluster = { rung: 'embedded', name: 'x', kubeconfig: api.kubeconfig, limits }
  return restoreCluster({
    cluster,
    run: 'later',
    signal: never,
    say: () => undefined,
    thorough: true,
    ...change,
  })
}

async function leave(holder: Holder, path: string): Promise<void> {
  await kube.create(LEASES, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: path, annotations: { [HOLDER_ANNOTATION]: JSON.stringify(holder) } },
    spec: { holderIdentity: `${holder.run}/${holder.worker}`, leaseDurationSeconds: 3_600 },
  })
}

async function makeNamespace(name: string, run: string, holder?: Holder): Promise<void> {
  const annotations = holder ? { [HOLDER_ANNOTATION]: JSON.stringify(holder) } : {}
  const metadata = { name, labels: { [RUN_LABEL]: run }, annotations }
  await kube.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata })
}

const entries = async (): Promise<number> =>
  (await listAll(kube, { path: CONFIG_MAPS, labelSelector: JOURNAL_LABEL })).objects.length

const find = async (at: string): Promise<KubernetesObject | undefined> => {
  const { status, body } = await kube.request({ path: at })
  return status === 404 ? undefined : (body as KubernetesObject)
}

describe('restoring a cluster', {
  skip: process.platform !== 'linux' && 'knows ended processes by /proc',
}, () => {
  it('takes back all that an ended run changed, with its lease, and keeps what others did', async () => {
    await leave(dead, 'poolwright-nodes')
    const changes = changesOf(dead)
    await changes.taint(node, [{ key: 'game', value: 'arena', effect: 'NoSchedule' }])
    await changes.cordon(node)
    await changes.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: `made-${node}` } })
    const planted = { key: 'autoscaler', effect: 'NoSchedule' }
    const [ours] = ((await kube.get(path)).spec as { taints: object[] }).taints
    await kube.patch(path, { spec: { taints: [planted, ours] } }, 'merge')

    const outcomes = (await restore()).map(({ object, change, outcome }) => `${object} ${change} ${outcome}`)
    expect(outcomes).to.deep.equal([
      `Namespace made-${node} created restored`,
      `Node ${node} fields restored`,
      `Node ${node} taints restored`,
    ])
    expect((await kube.get(path)).spec).to.deep.equal({ taints: [planted] })
    expect(await find(`/api/v1/namespaces/made-${node}`)).to.equal(undefined)
    expect(await entries()).to.equal(0)
    expect(await find(`${LEASES}/poolwright-nodes`)).to.equal(undefined)
    expect(await restore(), 'what a second one has to do').to.deep.equal([])
  })

  it('takes annotations along that were the first of their object', async () => {
    await changesOf(dead).patch(path, { metadata: { annotations: { game: 'arena' } } })
    const restored = await restore()
    expect(restored.map(({ outcome, note }) => `${outcome}${note}`)).to.deep.equal(['restored'])
    expect((await kube.get(path)).metadata).not.to.have.property('annotations')
  })

  it('lets no write of the dead arrive afterwards', async () => {
    const cut = new AbortController()
    const client = new KubeClient(kube.connection)
    const patch = client.patch.bind(client)
    let late: (() => Promise<unknown>) | undefined
    Object.assign(client, {
      patch: async (...asked: Parameters<typeof patch>) => {
        if (asked[0] !== path) return patch(...asked)
        late = () => kube.patch(asked[0], asked[1], asked[2])
        cut.abort(new Error('killed'))
        throw new Error('killed')
      },
    })
    const changes = changesOf(dead, { kube: client, signal: cut.signal })
    await changes.cordon(node).catch(() => undefined)
    expect(await entries()).to.equal(1)
    const found = await kube.get(path)
    expect((await restore()).map(({ outcome }) => outcome)).to.deep.equal(['nothing to do'])
    const refusal = await late?.().catch((error: Error) => error.message)
    expect(refusal).to.match(/409/)
    const now = await kube.get(path)
    expect({ ...now, metadata: { ...now.metadata, resourceVersion: '' } }).to.deep.equal({
      ...found,
      metadata: { ...found.metadata, resourceVersion: '' },
    })
    client.close()
  })

  it('leaves a run that is at work alone, where it is not to wait for it', async () => {
    const alive = thisHolder('alive', '0')
    await leave(alive, 'poolwright-nodes')
    await changesOf(alive).cordon(node)
    expect(await restore({ thorough: false })).to.deep.equal([])
    expect((await kube.get(path)).spec).to.have.property('unschedulable', true)
    expect(await entries()).to.equal(1)
  })

  it('does each apart, and says what to do by hand for what fails', async () => {
    await changesOf(dead).cordon(node)
    await kube.create(CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'nonsense', labels: { [JOURNAL_LABEL]: '' } },
      data: { entry: '{' },
    })
    const unknown = await changesOf({ ...dead, run: 'older' })
    const other = `other-${node}`
    await kube.create(NODES, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: other, labels: { [TEST_POOL_LABEL]: '' } },
    })
    await unknown.label(other, { zone: 'a' })
    await kube.patch(`${NODES}/${other}`, { metadata: { labels: { [TEST_POOL_LABEL]: null } } }, 'merge')
    const outcomes = await restore()
    const of = (object: string) => outcomes.find((one) => one.object === object)
    expect(outcomes.map(({ object, outcome }) => `${object} ${outcome}`)).to.have.members([
      `Node ${node} restored`,
      'ConfigMap nonsense failed',
      // Anybody who may write ConfigMaps could have asked for it.
      `Node ${other} failed`,
    ])
    expect(of(`Node ${other}`)?.note).to.match(/no longer marked.*kubectl label node other-worker-\d+ zone-/s)
    expect(await entries(), 'entries that were kept').to.equal(2)
  })

  it('says so of a node that can’t be switched from here, and keeps the entry', async () => {
    const nodes = { stopKubelet: async () => undefined } as never
    const changes = new ClusterChanges({
      kube,
      holder: dead,
      scenario: 'pw-1f2e3d0000-111111',
      labels: {},
      limits,
      signal: never,
      nodes,
      nextSequence: () => ++sequence,
      permit: () => right,
    })
    await changes.stopKubelet(node)
    const [only] = await restore()
    expect(only).to.include({ object: `Node ${node}`, outcome: 'failed' })
    expect(only?.note)
      .to.match(/can’t be switched from here/)
      .and.to.include(`start the kubelet of ${node}`)
    expect(await entries()).to.equal(1)
  })

  it('never deletes by an entry what its run did not make', async () => {
    await changesOf(dead).create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: `theirs-${node}` },
    })
    const namespace = `/api/v1/namespaces/theirs-${node}`
    await kube.patch(namespace, { metadata: { labels: { [RUN_LABEL]: null } } }, 'merge')
    const [only] = await restore()
    expect(only).to.include({ outcome: 'nothing to do' })
    expect(only?.note).to.match(/made by somebody else/)
    expect(await find(namespace)).to.have.nested.property('status.phase', 'Active')
    await kube.delete(namespace)
  })

  it('deletes namespaces of scenarios whose process ended, and of runs that are said to have', async () => {
    const far = { ...dead, process: { ...dead.process, boot: 'another machine' } }
    await makeNamespace('pw-1f2e3d0001-111111', RUN, dead)
    await makeNamespace('pw-0000000001-111111', 'alive', thisHolder('alive', '0'))
    await makeNamespace('pw-0000000002-111111', 'far', far)
    await makeNamespace('pw-0000000003-111111', 'gone', far)
    await makeNamespace('somebody-elses', 'gone', dead)
    const outcomes = await restore({ ended: ['gone'] })
    expect(outcomes.map(({ object, outcome }) => `${object} ${outcome}`)).to.deep.equal([
      'Namespace pw-0000000001-111111 left',
      'Namespace pw-0000000002-111111 left',
      'Namespace pw-0000000003-111111 restored',
      'Namespace pw-1f2e3d0001-111111 restored',
    ])
    expect(outcomes[1]?.note).to.match(/run far on .* may be alive; if it has ended: --run far/)
    expect(await find('/api/v1/namespaces/pw-1f2e3d0001-111111')).to.equal(undefined)
    await kube.delete('/api/v1/namespaces/somebody-elses')
  })
})
