import type { ConfigMap, KubernetesObject } from '../../src/contract/kubernetes.ts'
import {
  MACHINE_ANNOTATION,
  MACHINE_API_NAMESPACE,
  MACHINE_SET_LABEL,
  WINDOWS_STAND_IN_CONFIG_MAP,
  WMCO_NAMESPACE,
} from '../../src/contract/names.ts'
import { isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { runController } from './controller.ts'
import { eachApart } from './each-apart.ts'
import { ensure, ensureInstalled, standInLabels } from './ensure.ts'
import type { Log } from './log.ts'
import {
  isMachineSet,
  MACHINE_API,
  MACHINE_FINALIZER,
  MACHINE_SETS,
  MACHINES,
  type Machine,
  type MachineSet,
  ownerUid,
} from './machine.ts'
import { installMachineCrds } from './machine-crds.ts'
import { machineStatus, providerId, takenAddresses } from './machine-provisioning.ts'
import { MACHINE_NAMESPACE } from './namespaces.ts'
import { readSteering } from './steering.ts'

const NODES = collectionPath('v1', 'nodes')

/**
 * Plays the Machine API where there is none: a Machine for each replica of a MachineSet, with an address and a
 * provider id, linked to the Node that came up on it; deleting a Machine removes its Node first.
 */
export async function startMachineController(
  client: KubeClient,
  log: Log,
  signal: AbortSignal,
): Promise<{ ready: Promise<void>; ended: Promise<void> }> {
  await ensureInstalled(client, collectionPath('v1', 'namespaces'), MACHINE_NAMESPACE, signal)
  await installMachineCrds(client, signal)
  return runController({
    client,
    watches: {
      configMaps: { path: collectionPath('v1', 'configmaps', WMCO_NAMESPACE) },
      machineSets: { path: MACHINE_SETS },
      machines: { path: MACHINES },
      nodes: { path: NODES },
    },
    async reconcile(seen) {
      const steering = readSteering(
        named(seen.configMaps, WINDOWS_STAND_IN_CONFIG_MAP) as ConfigMap | undefined,
      )
      const machineSets = seen.machineSets as readonly MachineSet[]
      const machines = seen.machines as readonly Machine[]
      const living = new Set(machineSets.map(({ metadata }) => metadata.uid))
      const taken = takenAddresses(machines)
      await eachApart([...machineSets, ...machines], async (object) => {
        if (isMachineSet(object)) {
          if (!object.metadata.deletionTimestamp)
            await reconcileMachineSet(client, object, machines, log, signal)
          return
        }
        const owner = ownerUid(object)
        if (object.metadata.deletionTimestamp) await finish(client, object, seen.nodes, log, signal)
        // The garbage collector does this where there is one.
        else if (owner && !living.has(owner)) await remove(client, MACHINES, object, signal)
        else await reconcileMachine(client, object, taken, seen.nodes, steering.machines === 'fail', signal)
      })
    },
    resyncMs: 10_000,
    log,
    signal,
  })
}

async function reconcileMachineSet(
  client: KubeClient,
  machineSet: MachineSet,
  machines: readonly Machine[],
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const { metadata, spec, status } = machineSet
  const replicas = spec.replicas ?? 1
  const owned = machines.filter(
    (machine) => ownerUid(machine) === metadata.uid && !machine.metadata.deletionTimestamp,
  )
  // Names by ordinal, so that a cache that lags behind can't make one too many: the second create meets the first.
  const wanted = Array.from({ length: replicas }, (_, ordinal) => `${metadata.name}-${ordinal}`)
  for (const name of wanted.filter((name) => !machines.some((machine) => machine.metadata.name === name))) {
    log('info', 'creating a Machine', { machineSet: metadata.name, machine: name })
    await ensure(client, MACHINES, machineOf(machineSet, name), signal)
  }
  for (const machine of owned)
    if (!wanted.includes(machine.metadata.name)) await remove(client, MACHINES, machine, signal)
  const ready = owned.filter((machine) => machine.status?.phase === 'Running').length
  const counts = {
    replicas: owned.length,
    fullyLabeledReplicas: owned.length,
    readyReplicas: ready,
    availableReplicas: ready,
    observedGeneration: metadata.generation,
  }
  if (Object.entries(counts).every(([field, count]) => status?.[field] === count)) return
  await ignoringAbsence(
    client.patch(`${objectPath(MACHINE_SETS, metadata.name)}/status`, { status: counts }, 'merge', signal),
  )
}

function machineOf({ metadata, spec }: MachineSet, name: string): KubernetesObject {
  const template = spec.template.metadata ?? {}
  return {
    apiVersion: MACHINE_API,
    kind: 'Machine',
    metadata: {
      name,
      namespace: MACHINE_API_NAMESPACE,
      labels: {
        ...template.labels,
        [MACHINE_SET_LABEL]: metadata.name,
        ...standInLabels('machine-controller'),
      },
      ...(template.annotations && { annotations: template.annotations }),
      finalizers: [MACHINE_FINALIZER],
      ownerReferences: [
        {
          apiVersion: MACHINE_API,
          kind: 'MachineSet',
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: spec.template.spec ?? {},
  }
}

async function reconcileMachine(
  client: KubeClient,
  machine: Machine,
  taken: Set<string>,
  nodes: readonly KubernetesObject[],
  cloudFails: boolean,
  signal: AbortSignal,
): Promise<void> {
  const path = objectPath(MACHINES, machine.metadata.name)
  const status = machineStatus(machine, taken, nodes, cloudFails)
  if (status.phase !== 'Failed' && !machine.spec.providerID)
    await ignoringAbsence(client.patch(path, { spec: { providerID: providerId(machine) } }, 'merge', signal))
  const { lastUpdated: _, ...shown } = { ...machine.status }
  const { lastUpdated: __, ...wanted } = status
  if (JSON.stringify(sorted(shown)) === JSON.stringify(sorted(wanted))) return
  await ignoringAbsence(client.patch(`${path}/status`, { status }, 'merge', signal))
}

/** The Node first, then the Machine: whoever sees the Machine gone may rely on its Node being gone. */
async function finish(
  client: KubeClient,
  machine: Machine,
  nodes: readonly KubernetesObject[],
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const key = `${machine.metadata.namespace}/${machine.metadata.name}`
  const node = nodes.find((one) => one.metadata?.annotations?.[MACHINE_ANNOTATION] === key)
  // Its own deletion, seen by the watch, brings us here again.
  if (node) return remove(client, NODES, node, signal)
  const all = machine.metadata.finalizers
  const others = (Array.isArray(all) ? all : []).filter((finalizer) => finalizer !== MACHINE_FINALIZER)
  if (Array.isArray(all) && others.length === all.length) return
  log('info', 'Machine is gone', { machine: machine.metadata.name })
  const patch = { metadata: { resourceVersion: machine.metadata.resourceVersion, finalizers: others } }
  await ignoringAbsence(client.patch(objectPath(MACHINES, machine.metadata.name), patch, 'merge', signal))
}

async function remove(
  client: KubeClient,
  collection: string,
  { metadata }: KubernetesObject,
  signal: AbortSignal,
): Promise<void> {
  const options = { preconditions: { uid: metadata?.uid } }
  await ignoringAbsence(client.delete(objectPath(collection, metadata?.name ?? ''), options, signal))
}

async function ignoringAbsence(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}

function named(objects: readonly KubernetesObject[], name: string): KubernetesObject | undefined {
  return objects.find((object) => object.metadata?.name === name)
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
