import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { type ApiForTests, startApi } from '../../clusters/embedded/api-for-tests.ts'
import { HOLDER_ANNOTATION, JOURNAL_LABEL, RUN_LABEL, TEST_POOL_LABEL } from '../../src/contract/names.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { changesCluster, changesWindowsHosts, permitChanges } from './changing-steps.ts'
import { NotAllowedError } from './guard.ts'
import { CHANGES_HOSTS_TAG, CHANGES_TAG } from './hold.ts'
import { thisHolder } from './holder.ts'
import { ScenarioSafety } from './scenario-safety.ts'

const NODE = '/api/v1/nodes/worker'
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
const LEASE = `${LEASES}/poolwright-nodes`
const ENTRIES = { path: '/api/v1/namespaces/default/configmaps', labelSelector: JOURNAL_LABEL }
const limit = AbortSignal.timeout(60_000)

let api: ApiForTests
let kube: KubeClient
let scenario: AbortController
let safety: ScenarioSafety

before(async () => {
  api = await startApi()
  kube = api.kube
  const metadata = { name: 'worker', labels: { [TEST_POOL_LABEL]: '' } }
  await kube.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata })
})
after(() => api.close())
beforeEach(() => {
  scenario = new AbortController()
  safety = new ScenarioSafety({
    kube,
    holder: thisHolder('20260331-120000-1f2e3d', '0'),
    limits: { reaction: 5_000, step: 5_000 },
    scenario: 'pw-1f2e3d0000-111111',
    labels: { [RUN_LABEL]: '20260331-120000-1f2e3d' },
    signal: scenario.signal,
    abort: (reason) => scenario.abort(new Error(reason)),
    say: () => undefined,
  })
  safety.begin('node worker is cordoned')
})
afterEach(async () => {
  await safety.undo()
  await safety.releaseWindowsHosts(limit)
  await safety.releaseNodes(limit)
})

const cordon = (): Promise<void> => safety.changes.cordon('worker')
const asStep = (code: () => Promise<void>, nature?: object) => () =>
  Reflect.apply(permitChanges(code as never, nature), { safety }, []) as Promise<void>
const changingStep = asStep(cordon, changesCluster.wrapperOptions)

const isCordoned = async (): Promise<boolean> =>
  ((await kube.get(NODE)).spec as { unschedulable?: boolean } | undefined)?.unschedulable ?? false

const leaseNames = async (): Promise<readonly (string | undefined)[]> =>
  (await listAll(kube, { path: LEASES })).objects.map(({ metadata }) => metadata?.name)

const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('what a scenario may change', () => {
  it('is nothing without the tag, whatever its steps say', async () => {
    const refusal = await refusalOf(changingStep())
    expect(refusal).to.be.instanceOf(NotAllowedError)
    expect(refusal).to.have.property(
      'message',
      'Step "node worker is cordoned" changes the cluster: tag its scenario @changes-cluster',
    )
    expect(await isCordoned()).to.equal(false)
  })

  it('is nothing where the nodes are only used, and whoever uses them is told of for as long', async () => {
    await safety.hold(['@needs-running-pods'])
    expect(await refusalOf(changingStep())).to.be.instanceOf(NotAllowedError)
    expect(await isCordoned()).to.equal(false)
    const use = `${LEASE}-pw-1f2e3d0000-111111`
    expect((await kube.get(use)).metadata?.labels?.[RUN_LABEL]).to.equal('20260331-120000-1f2e3d')
    expect((await kube.request({ path: LEASE })).status, 'the lease of who has them alone').to.equal(404)
    await safety.releaseNodes(limit)
    expect((await kube.request({ path: use })).status).to.equal(404)
  })

  it('is nothing where all of something is taken, and nobody else is at the nodes meanwhile', async () => {
    await safety.hold(['@needs-running-pods', '@alone'])
    expect(await refusalOf(changingStep())).to.be.instanceOf(NotAllowedError)
    expect(await leaseNames()).to.deep.equal(['poolwright-nodes'])
  })

  it('is nothing of the nodes for who has the Windows hosts', async () => {
    await safety.hold([CHANGES_HOSTS_TAG])
    expect(await leaseNames()).to.deep.equal(['poolwright-windows-hosts'])
    safety.assertHoldsWindowsHosts()
    expect(await refusalOf(changingStep())).to.be.instanceOf(NotAllowedError)
  })

  it('is none of the Windows hosts without their tag: a step that changes them does not even begin', async () => {
    await safety.hold([CHANGES_TAG])
    let hasBegun = false
    const step = asStep(async () => {
      hasBegun = true
    }, changesWindowsHosts.wrapperOptions)
    expect(step).to.throw(NotAllowedError, 'tag its scenario @changes-windows-hosts')
    expect(hasBegun).to.equal(false)
  })

  it('are nodes and Windows hosts, where it says so of both', async () => {
    expect(() => safety.assertHoldsWindowsHosts()).to.throw(
      NotAllowedError,
      'changes Windows hosts: tag its scenario @changes-windows-hosts',
    )
    await safety.hold([CHANGES_TAG, CHANGES_HOSTS_TAG])
    expect(await leaseNames()).to.have.members(['poolwright-nodes', 'poolwright-windows-hosts'])
    await changingStep()
    safety.assertHoldsWindowsHosts()
  })

  it('ends with the lease of the Windows hosts, and is taken back only once that is held again', async () => {
    await safety.hold([CHANGES_HOSTS_TAG])
    const lease = `${LEASES}/poolwright-windows-hosts`
    const stranger = JSON.stringify(thisHolder('another', '0'))
    await kube.patch(lease, { metadata: { annotations: { [HOLDER_ANNOTATION]: stranger } } }, 'merge')
    await new Promise((resolve) => scenario.signal.addEventListener('abort', resolve))
    let outcome = 'waiting'
    const restored = safety.restoreWindowsHosts(limit).then(
      () => {
        outcome = 'restored'
      },
      (error: Error) => {
        outcome = error.message
      },
    )
    expect((await kube.get(lease)).metadata?.annotations?.[HOLDER_ANNOTATION]).to.equal(stranger)
    expect(outcome, 'while another holds them').to.equal('waiting')
    await kube.delete(lease)
    await restored
    expect(outcome).to.equal('restored')
    safety.assertHoldsWindowsHosts()
  })

  it('is nothing without a hold, which a scenario that needs no nodes does not wait for', async () => {
    await safety.hold(['@pool'])
    expect(await leaseNames()).to.deep.equal([])
  })

  it('is nothing in a step that does not say so, whatever the tag', async () => {
    await safety.hold([CHANGES_TAG])
    const refusal = await refusalOf(asStep(cordon)())
    expect(refusal).to.be.instanceOf(NotAllowedError)
    expect(refusal)
      .to.have.property('message')
      .that.includes('its definition needs the options changesCluster')
    expect(await isCordoned()).to.equal(false)
  })

  it('is allowed in a step that says so, and no longer than it runs', async () => {
    await safety.hold([CHANGES_TAG])
    expect(await leaseNames()).to.deep.equal(['poolwright-nodes'])
    await changingStep()
    expect(await isCordoned()).to.equal(true)
    expect(await refusalOf(safety.changes.uncordon('worker'))).to.be.instanceOf(NotAllowedError)
    await safety.undo()
    expect(await isCordoned()).to.equal(false)
  })

  it('is taken back although the scenario was aborted in the middle of it', async () => {
    await safety.hold([CHANGES_TAG])
    await changingStep()
    scenario.abort(new Error('the step took longer than 5 ms'))
    expect(await refusalOf(changingStep())).to.have.property('message', 'the step took longer than 5 ms')
    await safety.undo()
    expect(await isCordoned()).to.equal(false)
    expect((await listAll(kube, ENTRIES)).objects).to.deep.equal([])
  })

  it('ends with the lease, and is taken back only once that is held again', async () => {
    await safety.hold([CHANGES_TAG])
    await changingStep()
    const stranger = JSON.stringify(thisHolder('another', '0'))
    await kube.patch(LEASE, { metadata: { annotations: { [HOLDER_ANNOTATION]: stranger } } }, 'merge')
    const lost = new Promise((resolve) => scenario.signal.addEventListener('abort', resolve))
    await lost
    expect((scenario.signal.reason as Error).message).to.match(/^the lease was lost: /)
    const undone = safety.undo()
    expect(await isCordoned(), 'while another holds the nodes').to.equal(true)
    await kube.delete(LEASE)
    await undone
    expect(await isCordoned()).to.equal(false)
  })
})
