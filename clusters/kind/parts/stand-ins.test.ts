import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import type { KubernetesObject } from '../../../src/contract/kubernetes.ts'
import {
  INSTANCES_CONFIG_MAP,
  MACHINE_API_NAMESPACE,
  WINDOWS_STAND_IN_CONFIG_MAP,
  WMCO_DEPLOYMENT,
  WMCO_NAMESPACE,
} from '../../../src/contract/names.ts'
import { ApiStatusError } from '../../../src/kube/api-status-error.ts'
import { KubeClient, type KubeRequest, type KubeResponse } from '../../../src/kube/client.ts'
import type { KubeConnection } from '../../../src/kube/kubeconfig.ts'
import { collectionPath, objectPath } from '../../../src/kube/paths.ts'
import { waitFor } from '../../../src/kube/wait-for.ts'
import { type RunningServer, startServer } from '../../embedded/server/server.ts'
import type { Log } from '../../stand-ins/log.ts'
import { MACHINE_API, MACHINE_SETS, MACHINES, type Machine } from '../../stand-ins/machine.ts'
import { startMachineController } from '../../stand-ins/machine-controller.ts'
import { startWindowsOperator } from '../../stand-ins/windows-operator.ts'
import { standInManifests } from './stand-ins.ts'

const IMAGE = 'poolwright.dev/workload:test'
const MANIFESTS = standInManifests({ name: 'program', code: '' }, IMAGE)
const NODES = collectionPath('v1', 'nodes')
const DEPLOYMENTS = collectionPath('apps/v1', 'deployments', WMCO_NAMESPACE)
const CONFIG_MAPS = collectionPath('v1', 'configmaps', WMCO_NAMESPACE)

let server: RunningServer
let connection: KubeConnection
let admin: KubeClient

before(async () => {
  server = await startServer()
  connection = {
    server: `https://127.0.0.1:${server.port}`,
    certificateAuthority: server.authority,
    token: server.token,
    insecure: false,
    namespace: 'default',
  }
  admin = new KubeClient(connection)
})

after(async () => {
  admin.close()
  await server.close()
})

test('the stand-ins do all their work with the rights they are given', { timeout: 60_000 }, async () => {
  for (const manifest of MANIFESTS) await install(manifest)
  const controller = new AbortController()
  const { signal } = controller
  // The first refusal ends the test: whoever is refused would try again for ever.
  const client = new RestrictedClient(connection, (refusal) => controller.abort(refusal))
  const ended: Promise<void>[] = []
  try {
    const machines = await startMachineController(client, silent, signal)
    ended.push(machines.ended)
    const operator = await startWindowsOperator(client, silent, signal, IMAGE)
    ended.push(operator.ended)

    await admin.create(CONFIG_MAPS, configMap(INSTANCES_CONFIG_MAP, { '192.0.2.17': 'username=admin' }))
    await admin.create(MACHINE_SETS, machineSet('windows'))
    await seen(NODES, 'a Ready Node for each host', signal, (nodes) => nodes.filter(isReady).length === 2)
    await seen(MACHINES, 'a Machine that runs', signal, (found) =>
      (found as Machine[]).some(({ status }) => status?.phase === 'Running'),
    )

    await admin.delete(objectPath(CONFIG_MAPS, INSTANCES_CONFIG_MAP))
    await admin.patch(objectPath(MACHINE_SETS, 'windows'), { spec: { replicas: 0 } }, 'merge')
    await seen(NODES, 'no Node', signal, (nodes) => nodes.length === 0)
    await seen(MACHINES, 'no Machine', signal, (found) => found.length === 0)

    await seen(DEPLOYMENTS, 'the operator', signal, (found) => found.length === 1)
    await admin.create(CONFIG_MAPS, configMap(WINDOWS_STAND_IN_CONFIG_MAP, { operator: 'absent' }))
    await seen(DEPLOYMENTS, 'no operator', signal, (found) => found.length === 0)
    signal.throwIfAborted()
  } finally {
    controller.abort()
    await Promise.all(ended)
    client.close()
  }
})

test('they may say whether the operator’s pod is ready', () => {
  for (const verb of ['list', 'watch']) assert.ok(mayDo(verb, `${WMCO_NAMESPACE} pods`), verb)
  assert.ok(mayDo('patch', `${WMCO_NAMESPACE} pods/status`, WMCO_DEPLOYMENT))
})

test('their rights end at the namespaces of what they play', () => {
  for (const namespace of ['default', 'kube-system', 'poolwright-csi', MACHINE_API_NAMESPACE]) {
    assert.ok(!mayDo('create', `${namespace} apps/deployments`), namespace)
    assert.ok(!mayDo('patch', `${namespace} pods/status`, 'any'), namespace)
  }
  assert.ok(!mayDo('list', 'kube-system configmaps'))
  assert.ok(!mayDo('create', 'namespaces'))
  assert.ok(!mayDo('create', 'apiextensions.k8s.io/customresourcedefinitions'))
  assert.ok(mayDo('create', `${WMCO_NAMESPACE} apps/deployments`))
})

test('the sign of readiness is in no volume: what a volume keeps outlives the container', () => {
  const deployment = MANIFESTS.find(({ kind }) => kind === 'Deployment')
  assert.ok(deployment)
  const { template } = deployment.spec as { template: { spec: { containers: [Container] } } }
  const [{ command, volumeMounts, startupProbe }] = template.spec.containers
  const file = command[command.indexOf('--ready-file') + 1] ?? ''
  assert.deepEqual(startupProbe.exec.command, ['test', '-e', file])
  for (const { mountPath } of volumeMounts) assert.ok(!file.startsWith(`${mountPath}/`), mountPath)
})

interface Container {
  readonly command: readonly string[]
  readonly startupProbe: { readonly exec: { readonly command: readonly string[] } }
  readonly volumeMounts: readonly { readonly mountPath: string }[]
}

/** A client with the service account's rights, judged as RBAC does: what no rule allows is refused, and told. */
class RestrictedClient extends KubeClient {
  readonly #onRefusal: (refusal: ApiStatusError) => void

  constructor(connection: KubeConnection, onRefusal: (refusal: ApiStatusError) => void) {
    super(connection)
    this.#onRefusal = onRefusal
  }

  override request(request: KubeRequest): Promise<KubeResponse> {
    this.#judge(request)
    return super.request(request)
  }

  override stream(request: KubeRequest, signal: AbortSignal): Promise<IncomingMessage> {
    this.#judge(request)
    return super.stream(request, signal)
  }

  #judge(request: KubeRequest): void {
    const asked = attributesOf(request)
    if (!asked || mayDo(asked.verb, asked.resource, asked.name)) return
    const words = `${asked.verb} ${asked.resource} ${asked.name ?? ''}`.trim()
    const refusal = new ApiStatusError(words, 403, 'no rule allows it')
    this.#onRefusal(refusal)
    throw refusal
  }
}

/** What a request is to RBAC; undefined where everybody may, as for the version and discovery. */
function attributesOf({
  method = 'GET',
  path,
  query,
}: KubeRequest): { verb: string; resource: string; name: string | undefined } | undefined {
  const found =
    /^\/(?:api|apis\/(?<group>[^/]+))\/v[^/]+\/(?:namespaces\/(?<namespace>[^/]+)\/)?(?<kind>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<sub>[^/]+))?$/.exec(
      path,
    )?.groups
  if (!found) return undefined
  const { group, namespace, kind, name, sub } = found
  const verbs: Record<string, string> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }
  const read = query?.watch ? 'watch' : name === undefined ? 'list' : 'get'
  const resource = `${namespace ? `${namespace} ` : ''}${group ? `${group}/` : ''}${kind}${sub ? `/${sub}` : ''}`
  return { verb: verbs[method] ?? read, resource, name }
}

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

/** `resource` as "namespace group/resource/subresource", with only the parts it has. */
function mayDo(verb: string, resource: string, name?: string): boolean {
  return MANIFESTS.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role').some((role) => {
    const namespace = role.kind === 'Role' ? `${role.metadata?.namespace} ` : ''
    if (!isBound(role)) return false
    const covers = ({ apiGroups, resources, resourceNames, verbs }: Rule): boolean =>
      verbs.includes(verb) &&
      (!resourceNames || (name !== undefined && resourceNames.includes(name))) &&
      apiGroups.some((group) =>
        resources.some((one) => {
          const full = group === '' ? one : `${group}/${one}`
          // Bound in the whole cluster, a rule covers the resource in every namespace.
          return `${namespace}${full}` === resource || (!namespace && resource.endsWith(` ${full}`))
        }),
      )
    return (role.rules as Rule[]).some(covers)
  })
}

function isBound(role: KubernetesObject): boolean {
  return MANIFESTS.some(
    ({ kind, metadata, roleRef }) =>
      kind === `${role.kind}Binding` &&
      metadata?.namespace === role.metadata?.namespace &&
      (roleRef as { name: string }).name === role.metadata?.name,
  )
}

/** As kubectl does, for the kinds that this server has. */
async function install(manifest: KubernetesObject): Promise<void> {
  if (manifest.kind === 'Namespace') await admin.create(collectionPath('v1', 'namespaces'), manifest)
  if (manifest.kind === 'CustomResourceDefinition')
    await admin.create(collectionPath('apiextensions.k8s.io/v1', 'customresourcedefinitions'), manifest)
}

async function seen(
  path: string,
  what: string,
  signal: AbortSignal,
  until: (objects: readonly KubernetesObject[]) => boolean,
): Promise<void> {
  await waitFor<KubernetesObject, boolean>(admin, { for: what, path, until, limitMs: 20_000, signal })
}

function isReady({ status }: KubernetesObject): boolean {
  const { conditions = [] } = (status ?? {}) as { conditions?: { type: string; status: string }[] }
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
}

function configMap(name: string, data: Record<string, string>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
}

function machineSet(name: string): KubernetesObject {
  const labels = { set: name, 'machine.openshift.io/os-id': 'Windows' }
  return {
    apiVersion: MACHINE_API,
    kind: 'MachineSet',
    metadata: { name, namespace: MACHINE_API_NAMESPACE },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: {} },
    },
  }
}

const silent: Log = () => {}
