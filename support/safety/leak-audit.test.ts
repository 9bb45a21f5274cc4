import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type ApiForTests, startApi } from '../../clusters/embedded/api-for-tests.ts'
import { JOURNAL_LABEL, RUN_LABEL } from '../../src/contract/names.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { events, failure, json, scriptedServer } from '../../src/kube/scripted-server.ts'
import { auditCluster } from './leak-audit.ts'

const RUN = '20260331-120000-1f2e3d'
const signal = new AbortController().signal
const labels = { [RUN_LABEL]: RUN }

let api: ApiForTests
let kube: KubeClient

before(async () => {
  api = await startApi()
  kube = api.kube
})
after(() => api.close())

const audit = () => auditCluster({ kube, run: RUN, signal, goneWithinMs: 200 })

describe('the audit of what a run left in the cluster', () => {
  it('finds nothing where there is nothing of the run', async () => {
    const another = { name: 'another-run', labels: { [RUN_LABEL]: 'another' } }
    await kube.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: another })
    expect(await audit()).to.deep.equal({ leaks: [], unseen: [] })
  })

  it('names every object outside of namespaces, custom ones too, entries of the journal, and the lease', async () => {
    const group = 'leaks.example.com'
    const names = { plural: 'leaks', singular: 'leak', kind: 'Leak' }
    const schema = { openAPIV3Schema: { type: 'object' } }
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    await kube.create(definitions, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `leaks.${group}`, labels },
      spec: {
        group,
        names,
        scope: 'Cluster',
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    })
    const custom = `/apis/${group}/v1/leaks`
    while ((await kube.request({ path: custom })).status !== 200) signal.throwIfAborted()
    for (const [path, apiVersion, kind, metadata] of [
      ['/api/v1/nodes', 'v1', 'Node', { name: 'left-node' }],
      ['/api/v1/namespaces', 'v1', 'Namespace', { name: 'left-namespace' }],
      [custom, `${group}/v1`, 'Leak', { name: 'left-leak' }],
      [
        '/api/v1/namespaces/default/configmaps',
        'v1',
        'ConfigMap',
        { name: 'left-entry', labels: { ...labels, [JOURNAL_LABEL]: '' } },
      ],
      [
        '/apis/coordination.k8s.io/v1/namespaces/default/leases',
        'coordination.k8s.io/v1',
        'Lease',
        { name: 'left-lease' },
      ],
    ] as const)
      await kube.create(path, { apiVersion, kind, metadata: { labels, ...metadata } })
    const { leaks, unseen } = await audit()
    expect(unseen).to.deep.equal([])
    expect(leaks.toSorted()).to.deep.equal([
      'CustomResourceDefinition leaks.leaks.example.com',
      'Leak left-leak',
      'Lease left-lease',
      'Namespace left-namespace',
      'Node left-node',
      'entry of the journal left-entry',
    ])
  })

  it('waits for what is on its way out, knows a volume by its claim’s namespace, and says what it may not see', async () => {
    const volume = (namespace: string) => ({
      metadata: { name: `of-${namespace}` },
      spec: { claimRef: { namespace } },
    })
    const answers: Record<string, () => ReturnType<typeof json>> = {
      '/apis': () => json(200, { groups: [] }),
      '/api/v1': () =>
        json(200, {
          resources: [
            { name: 'persistentvolumes', kind: 'PersistentVolume', namespaced: false, verbs: ['list'] },
            { name: 'secrets', kind: 'Secret', namespaced: true, verbs: ['list'] },
            { name: 'nodes', kind: 'Node', namespaced: false, verbs: ['list'] },
          ],
        }),
      '/api/v1/nodes': () => failure(403, 'Forbidden'),
      '/api/v1/persistentvolumes': () =>
        json(200, {
          items: [
            volume('pw-aaaaaa0000-111111'),
            volume('pw-1f2e3d4444-222222'),
            volume('pw-1f2e3d0000-111111'),
          ],
          metadata: { resourceVersion: '1' },
        }),
    }
    const going = { type: 'DELETED', object: volume('pw-1f2e3d0000-111111') }
    const scripted = await scriptedServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const isWatched = searchParams.has('watch')
      const isByLabel = searchParams.has('labelSelector') && pathname.endsWith('volumes')
      const nothing = json(200, { items: [], metadata: { resourceVersion: '1' } })
      const answer = isWatched ? events([going], 'open') : isByLabel ? nothing : answers[pathname]?.()
      ;(answer ?? nothing)(request, response)
    })
    const asked = { kube: scripted.client, run: RUN, signal, goneWithinMs: 500 }
    const found = await auditCluster(asked).finally(() => scripted.stop())
    expect(found.leaks).to.deep.equal(['PersistentVolume of-pw-1f2e3d4444-222222'])
    expect(found.unseen.join()).to.match(/^Node: GET \/api\/v1\/nodes: 403/)
  })
})
