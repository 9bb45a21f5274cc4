import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { type ApiForTests, startApi } from '../clusters/embedded/api-for-tests.ts'
import { HOLDER_ANNOTATION, RUN_LABEL } from '../src/contract/names.ts'
import { KubeClient } from '../src/kube/client.ts'
import { loadKubeconfig } from '../src/kube/kubeconfig.ts'
import { listAll } from '../src/kube/list.ts'
import { thisHolder } from './safety/holder.ts'
import { ScratchNamespaces } from './scratch-namespaces.ts'

const RUN = '20260331-120000-1f2e3d'
const NAMESPACES = '/api/v1/namespaces'
const signal = AbortSignal.timeout(60_000)

let api: ApiForTests
let kube: KubeClient
let namespaces: ScratchNamespaces

before(async () => {
  api = await startApi()
  kube = api.kube
})
after(() => api.close())
beforeEach(() => {
  namespaces = new ScratchNamespaces({ kube, run: RUN, holder: thisHolder(RUN, '0') })
})

const ours = async (): Promise<readonly (string | undefined)[]> =>
  (await listAll(kube, { path: NAMESPACES, labelSelector: `${RUN_LABEL}=${RUN}` })).objects.map(
    ({ metadata }) => metadata?.name,
  )

const create = (namespace: string, resource: string, kind: string, name: string): Promise<unknown> =>
  kube.create(`${NAMESPACES}/${namespace}/${resource}`, { apiVersion: 'v1', kind, metadata: { name } })

const namesIn = async (namespace: string, resource: string): Promise<readonly (string | undefined)[]> =>
  (await listAll(kube, { path: `${NAMESPACES}/${namespace}/${resource}` })).objects.map(
    ({ metadata }) => metadata?.name,
  )

describe('namespaces of a worker', () => {
  it('are one scenario’s at a time, and tell whose they are', async () => {
    const [one, other] = [await namespaces.take(signal), await namespaces.take(signal)]
    expect(one).to.not.equal(other)
    expect(await ours()).to.have.members([one, other])
    const { metadata } = await kube.get(`${NAMESPACES}/${one}`)
    expect(metadata?.annotations?.[HOLDER_ANNOTATION]).to.equal(JSON.stringify(thisHolder(RUN, '0')))
    await namespaces.removeAll(5_000)
    expect(await ours()).to.deep.equal([])
  })

  it('serve again without the ConfigMaps and Events of who had them', async () => {
    const name = await namespaces.take(signal)
    await create(name, 'configmaps', 'ConfigMap', 'windows-node-pool')
    await kube.create(`${NAMESPACES}/${name}/events`, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'taken' },
      involvedObject: { kind: 'ConfigMap', name: 'windows-node-pool', namespace: name },
    })
    await namespaces.giveBack(name, true, 5_000)
    expect(await namespaces.take(signal)).to.equal(name)
    for (const resource of ['configmaps', 'events'])
      expect(await namesIn(name, resource), resource).to.not.include.members(['windows-node-pool', 'taken'])
    await namespaces.removeAll(5_000)
    expect(await ours()).to.deep.equal([])
  })

  it('do not serve again where something may still arrive', async () => {
    const unsettled = await namespaces.take(signal)
    await namespaces.giveBack(unsettled, false, 5_000)
    expect(await namespaces.take(signal)).to.not.equal(unsettled)
    await namespaces.removeAll(5_000)
    expect(await ours()).to.deep.equal([])
  })

  it('do not serve again where something else is left, or they are on their way out', async () => {
    const withSecret = await namespaces.take(signal)
    await create(withSecret, 'secrets', 'Secret', 'password')
    await namespaces.giveBack(withSecret, true, 5_000)
    const going = await namespaces.take(signal)
    await kube.patch(
      `${NAMESPACES}/${going}`,
      { metadata: { finalizers: ['example.org/kept'] } },
      'merge',
      signal,
    )
    await kube.delete(`${NAMESPACES}/${going}`)
    await namespaces.giveBack(going, true, 5_000)
    const kept = await namespaces.take(signal)
    expect([withSecret, going]).to.not.include(kept)
    await kube.patch(`${NAMESPACES}/${going}`, { metadata: { finalizers: null } }, 'merge', signal)
    await namespaces.removeAll(5_000)
    expect(await ours()).to.deep.equal([])
  })

  it('do not serve again where one of their ConfigMaps does not go', async () => {
    const name = await namespaces.take(signal)
    await create(name, 'configmaps', 'ConfigMap', 'kept')
    const path = `${NAMESPACES}/${name}/configmaps/kept`
    await kube.patch(path, { metadata: { finalizers: ['example.org/kept'] } }, 'merge', signal)
    await namespaces.giveBack(name, true, 5_000)
    expect(await namespaces.take(signal)).to.not.equal(name)
    await kube.patch(path, { metadata: { finalizers: null } }, 'merge', signal)
    await namespaces.removeAll(5_000)
  })

  it('are deleted although the look into them took all its time', async () => {
    class Silent extends KubeClient {
      override get<T>(_path: string, signal?: AbortSignal): Promise<T> {
        return new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        )
      }
    }
    const silent = new Silent(await loadKubeconfig(api.kubeconfig))
    const unlooked = new ScratchNamespaces({ kube: silent, run: RUN, holder: thisHolder(RUN, '0') })
    const name = await unlooked.take(signal)
    await unlooked.giveBack(name, true, 300)
    await unlooked.removeAll(5_000)
    expect(await ours()).to.deep.equal([])
    silent.close()
  })

  it('that are left are named', async () => {
    const name = await namespaces.take(signal)
    await create(name, 'configmaps', 'ConfigMap', 'kept')
    const path = `${NAMESPACES}/${name}/configmaps/kept`
    await kube.patch(path, { metadata: { finalizers: ['example.org/kept'] } }, 'merge', signal)
    const failure = await namespaces.removeAll(300).then(
      () => undefined,
      (error: Error) => error.message,
    )
    expect(failure).to.include(name)
    await kube.patch(path, { metadata: { finalizers: null } }, 'merge', signal)
  })
})
