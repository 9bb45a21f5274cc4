import { after, afterEach, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type ApiForTests, startApi } from '../../clusters/embedded/api-for-tests.ts'
import { startMachineController } from '../../clusters/stand-ins/machine-controller.ts'
import { installMachineCrds } from '../../clusters/stand-ins/machine-crds.ts'
import { startWindowsOperator } from '../../clusters/stand-ins/windows-operator.ts'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import {
  INSTANCES_CONFIG_MAP,
  MACHINE_API_NAMESPACE,
  MACHINE_OS_LABEL,
  STAND_IN_LABEL,
  WINDOWS_HOSTS_LEASE,
  WINDOWS_STAND_IN_CONFIG_MAP,
  WMCO_DEPLOYMENT,
  WMCO_NAMESPACE,
} from '../../src/contract/names.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { objectPath } from '../../src/kube/paths.ts'
import { waitFor } from '../../src/kube/wait-for.ts'
import {
  BYOH_NODES,
  DEPLOYMENTS,
  isOperator,
  MACHINE_API,
  MACHINE_SETS,
  MACHINES,
  OPERATOR_CONFIG_MAPS,
} from '../windows-objects.ts'
import { CHANGES_HOSTS_TAG } from './hold.ts'
import { thisHolder } from './holder.ts'
import { elsewhere, leaveLease, livingHolder } from './leases-for-tests.ts'
import { restoreCluster } from './restore-cluster.ts'
import { ScenarioSafety } from './scenario-safety.ts'
import { clearWindowsHosts, restoreWindowsHosts } from './windows-hosts.ts'

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
const LEFT = [
  `ConfigMap ${WINDOWS_STAND_IN_CONFIG_MAP}`,
  `ConfigMap ${INSTANCES_CONFIG_MAP}`,
  'MachineSet fallback',
]
const signal = AbortSignal.timeout(60_000)
const limitMs = 10_000
const over = new AbortController()
const right = { assertHeld: () => undefined, signal: over.signal }

let api: ApiForTests
let kube: KubeClient

before(async () => {
  api = await startApi()
  kube = api.kube
  const parts = [
    await startMachineController(kube, () => undefined, over.signal),
    await startWindowsOperator(kube, () => undefined, over.signal),
  ]
  await Promise.all(parts.map(({ ready }) => ready))
  await waitFor(kube, { path: DEPLOYMENTS, ...isOperator('back'), limitMs, signal })
})
after(async () => {
  over.abort(new Error('the tests are over'))
  await api.close()
})
afterEach(async () => {
  await clearWindowsHosts({ kube, limitMs, signal, right })
  await kube.request({ method: 'DELETE', path: LEASES })
})

async function configMap(name: string, data: Record<string, string>): Promise<void> {
  const metadata = { name, namespace: WMCO_NAMESPACE }
  await kube.create(OPERATOR_CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, signal)
}

const until = (what: string, path: string, count: number, labelSelector = ''): Promise<true> =>
  waitFor<KubernetesObject, true>(kube, {
    for: what,
    path,
    labelSelector,
    until: (objects) => objects.length === count || undefined,
    limitMs,
    signal,
  })

/** All that a scenario may tell the stand-ins, as it is where its run was killed. */
async function leaveHosts(): Promise<void> {
  await configMap(INSTANCES_CONFIG_MAP, { '203.0.113.10': 'username=core' })
  const labels = { [MACHINE_OS_LABEL]: 'Windows' }
  await kube.create(
    MACHINE_SETS,
    {
      apiVersion: MACHINE_API,
      kind: 'MachineSet',
      metadata: { name: 'fallback', namespace: MACHINE_API_NAMESPACE, labels },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { providerSpec: { value: {} } } },
      },
    },
    signal,
  )
  await until('a Node of the listed host', BYOH_NODES.path, 1, BYOH_NODES.labelSelector)
  await until('a Machine', MACHINES, 1)
  await configMap(WINDOWS_STAND_IN_CONFIG_MAP, { operator: 'absent' })
  await waitFor(kube, { path: DEPLOYMENTS, ...isOperator('absent'), limitMs, signal })
}

async function expectClean(): Promise<void> {
  expect((await listAll(kube, BYOH_NODES)).objects, 'Nodes of hosts').to.deep.equal([])
  for (const path of [MACHINE_SETS, MACHINES])
    expect((await listAll(kube, { path })).objects, path).to.deep.equal([])
  for (const name of [INSTANCES_CONFIG_MAP, WINDOWS_STAND_IN_CONFIG_MAP])
    expect((await kube.request({ path: objectPath(OPERATOR_CONFIG_MAPS, name) })).status, name).to.equal(404)
  const operator = await kube.get<{ status?: { readyReplicas?: number } }>(
    objectPath(DEPLOYMENTS, WMCO_DEPLOYMENT),
  )
  expect(operator.status?.readyReplicas, 'replicas of the operator').to.equal(1)
}

const restore = (thorough = false) =>
  restoreCluster({
    cluster: {
      rung: 'embedded',
      name: '0',
      kubeconfig: api.kubeconfig,
      limits: { reaction: limitMs, step: limitMs },
    },
    run: '20260331-120000-000001',
    signal,
    say: () => undefined,
    thorough,
  })

describe('what was told to the stand-ins of the Windows operator', () => {
  it('goes, with the Nodes and Machines that came of it, and the operator is back', async () => {
    await leaveHosts()
    expect(await clearWindowsHosts({ kube, limitMs, signal, right })).to.deep.equal(LEFT)
    await expectClean()
    expect(await clearWindowsHosts({ kube, limitMs, signal, right }), 'the second time').to.deep.equal([])
  })

  it('is restored by the next run where its holder is dead', async () => {
    const { holder, kill } = await livingHolder('dead')
    await leaveLease(kube, WINDOWS_HOSTS_LEASE, holder, 3_600)
    await leaveHosts()
    expect(await restore(), 'while the holder lives').to.deep.equal([])
    await kill()
    expect((await restore()).map(({ object, outcome }) => [object, outcome])).to.deep.equal(
      LEFT.map((name) => [name, 'restored']),
    )
    await expectClean()
    expect((await listAll(kube, { path: LEASES })).objects, 'leases').to.deep.equal([])
  })

  it('is gone before the next scenario that wants the hosts begins, whoever left it', async () => {
    await leaveHosts()
    const said: string[] = []
    const safety = new ScenarioSafety({
      kube,
      holder: thisHolder('20260331-120000-000002', '0'),
      limits: { reaction: limitMs, step: limitMs },
      scenario: 'pw-0000020000-111111',
      labels: {},
      signal,
      abort: () => undefined,
      say: (line) => said.push(line),
    })
    await safety.hold([CHANGES_HOSTS_TAG])
    await expectClean()
    expect(said).to.deep.equal(LEFT.map((name) => `${name} (made): restored`))
    await safety.releaseWindowsHosts(signal)
  })

  it('is restored by hand once a holder that can’t be seen from here has let its lease run out', async () => {
    await leaveLease(kube, WINDOWS_HOSTS_LEASE, elsewhere('far'), 1)
    await configMap(INSTANCES_CONFIG_MAP, { '203.0.113.10': 'username=core' })
    expect(await restore(), 'by the next run').to.deep.equal([])
    expect((await restore(true)).map(({ object }) => object)).to.deep.equal([
      `ConfigMap ${INSTANCES_CONFIG_MAP}`,
    ])
    await expectClean()
  })

  it('says what to do by hand where it does not go', async () => {
    await configMap(INSTANCES_CONFIG_MAP, { '203.0.113.10': 'username=core' })
    await until('a Node of the listed host', BYOH_NODES.path, 1, BYOH_NODES.labelSelector)
    const [{ metadata } = {}] = (await listAll(kube, BYOH_NODES)).objects
    const node = objectPath(BYOH_NODES.path, metadata?.name ?? '')
    await kube.patch(node, { metadata: { finalizers: ['example.org/kept'] } }, 'merge', signal)
    const [restored] = await restoreWindowsHosts({ kube, limitMs: 300, signal, right })
    await kube.patch(node, { metadata: { finalizers: null } }, 'merge', signal)
    expect(restored?.outcome).to.equal('failed')
    expect(restored?.note)
      .to.include('no BYOH Node to be left')
      .and.to.include(`kubectl -n ${WMCO_NAMESPACE} delete configmap`)
  })
})

it('hosts whose stand-in is not there are not said to be clear, however often one asks', async (t) => {
  const deserted = await startApi()
  t.after(() => deserted.close())
  await installMachineCrds(deserted.kube, signal)
  for (const name of [WMCO_NAMESPACE, MACHINE_API_NAMESPACE]) {
    const labels = { [STAND_IN_LABEL]: 'windows-operator' }
    await deserted.kube.create('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels },
    })
  }
  for (const time of ['first', 'second']) {
    const [restored] = await restoreWindowsHosts({ kube: deserted.kube, limitMs: 200, signal, right })
    expect(restored?.outcome, `the ${time} time`).to.equal('failed')
    expect(restored?.note).to.include(`Deployment ${WMCO_DEPLOYMENT} to be back`)
  }
})

it('nothing is deleted once the right to the hosts is lost', async () => {
  await configMap(INSTANCES_CONFIG_MAP, { '203.0.113.10': 'username=core' })
  const lost = {
    assertHeld: () => {
      throw new Error('the lease was lost')
    },
    signal,
  }
  const failure = await clearWindowsHosts({ kube, limitMs, signal, right: lost }).catch(
    (error: Error) => error,
  )
  expect(failure).to.have.property('message', 'the lease was lost')
  expect(
    (await kube.request({ path: objectPath(OPERATOR_CONFIG_MAPS, INSTANCES_CONFIG_MAP) })).status,
  ).to.equal(200)
})

it('a real operator’s hosts stay', async (t) => {
  const real = await startApi()
  t.after(() => real.close())
  await installMachineCrds(real.kube, signal)
  for (const name of [WMCO_NAMESPACE, MACHINE_API_NAMESPACE])
    await real.kube.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const labels = { name: WMCO_DEPLOYMENT }
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'operator', image: 'operator' }] } },
  }
  await real.kube.create(DEPLOYMENTS, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: WMCO_DEPLOYMENT },
    spec,
  })
  const status = { conditions: [{ type: 'Available', status: 'True' }] }
  await real.kube.patch(objectPath(DEPLOYMENTS, WMCO_DEPLOYMENT, 'status'), { status }, 'merge', signal)
  const listed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: INSTANCES_CONFIG_MAP } }
  await real.kube.create(OPERATOR_CONFIG_MAPS, listed)
  expect(await clearWindowsHosts({ kube: real.kube, limitMs, signal, right })).to.deep.equal([])
  expect(
    (await real.kube.request({ path: objectPath(OPERATOR_CONFIG_MAPS, INSTANCES_CONFIG_MAP) })).status,
  ).to.equal(200)
})
