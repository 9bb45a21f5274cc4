import type { ConfigMap, KubernetesObject } from '../src/contract/kubernetes.ts'
import {
  FALLBACK_TEST_ID_ANNOTATION,
  INSTANCES_CONFIG_MAP,
  MACHINE_ANNOTATION,
  MACHINE_API_NAMESPACE,
  MACHINE_OS_LABEL,
  STAND_IN_LABEL,
  WINDOWS_STAND_IN_CONFIG_MAP,
  WMCO_DEPLOYMENT,
  WMCO_NAMESPACE,
} from '../src/contract/names.ts'
import { ifFound, isNotFound } from '../src/kube/api-status-error.ts'
import { listAll } from '../src/kube/list.ts'
import { objectPath } from '../src/kube/paths.ts'
import { perWorld } from './per-world.ts'
import {
  BYOH_NODES,
  type ClusterNode,
  DEPLOYMENTS,
  type Deployment,
  MACHINE_API,
  MACHINE_SETS,
  MACHINES,
  NODES,
  OPERATOR_CONFIG_MAPS,
} from './windows-objects.ts'
import type { PoolwrightWorld } from './world.ts'

/** What an interference rule calls the operator's list of hosts. */
export const INSTANCES = INSTANCES_CONFIG_MAP

export interface MachineSet extends KubernetesObject {
  spec?: { replicas?: number; template?: { spec?: { providerSpec?: unknown } } }
}

/** Settings that only a copy can have. */
export const PROVIDER_SPEC = {
  value: { image: 'windows-2022', size: 'large', tags: [{ name: 'purpose', value: 'tests' }] },
}

/** The Windows side of the scenario's cluster: shown to be a stand-in's on first use, and put back at the end. */
export const windowsClusterOf = perWorld((world) => WindowsCluster.open(world))

/** What the suite itself arranges and sees of windows-instances, Nodes and Machines, past the implementation. */
class WindowsCluster {
  readonly #world: PoolwrightWorld

  private constructor(world: PoolwrightWorld) {
    this.#world = world
  }

  /** Throws where the operator is not a stand-in: a real one has hosts that are not ours to take away. */
  static async open(world: PoolwrightWorld): Promise<WindowsCluster> {
    world.safety.assertHoldsWindowsHosts()
    const path = objectPath(DEPLOYMENTS, WMCO_DEPLOYMENT)
    const { metadata } = await world.kube.get<Deployment>(path, world.signal)
    if (!metadata?.labels?.[STAND_IN_LABEL])
      throw new Error(`Deployment ${WMCO_NAMESPACE}/${WMCO_DEPLOYMENT} is not a stand-in: hands off`)
    world.defer((signal) => world.safety.restoreWindowsHosts(signal))
    return new WindowsCluster(world)
  }

  /** windows-instances as it now is; empty where it does not exist. */
  async instances(): Promise<Record<string, string>> {
    return (await this.#find<ConfigMap>(objectPath(OPERATOR_CONFIG_MAPS, INSTANCES_CONFIG_MAP)))?.data ?? {}
  }

  /** Deletes windows-instances, which deconfigures every host in it, and waits until that is done. */
  async deleteInstances(): Promise<void> {
    const path = objectPath(OPERATOR_CONFIG_MAPS, INSTANCES_CONFIG_MAP)
    await this.#world.kube.delete(path, undefined, this.#world.signal)
    await this.#world.waitFor<ClusterNode, true>({
      for: 'all BYOH hosts to be deconfigured',
      ...BYOH_NODES,
      until: (nodes) => nodes.length === 0 || undefined,
    })
  }

  /** RFC 3339: since when the operator's Deployment says Available what it says. */
  async operatorAvailableSince(): Promise<string | undefined> {
    const operator = await this.#find<Deployment>(objectPath(DEPLOYMENTS, WMCO_DEPLOYMENT))
    return operator?.status?.conditions?.find(({ type }) => type === 'Available')?.lastTransitionTime
  }

  /** Adds to windows-instances as another writer does; makes it where there is none. */
  list(entries: Readonly<Record<string, string>>): Promise<void> {
    return this.#merge(INSTANCES_CONFIG_MAP, entries)
  }

  /** Steers the stand-ins; a key stays as it is until it is named again. */
  steer(keys: Readonly<Record<string, string>>): Promise<void> {
    return this.#merge(WINDOWS_STAND_IN_CONFIG_MAP, keys)
  }

  /** A Windows MachineSet of no replicas, from which a fallback can copy the provider's settings. */
  async createTemplate(name: string): Promise<void> {
    const labels = { [MACHINE_OS_LABEL]: 'Windows', 'machine.openshift.io/cluster-api-machineset': name }
    await this.#world.kube.create(
      MACHINE_SETS,
      {
        apiVersion: MACHINE_API,
        kind: 'MachineSet',
        metadata: { name, namespace: MACHINE_API_NAMESPACE, labels: this.#world.labels },
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { providerSpec: PROVIDER_SPEC } },
        },
      },
      this.#world.signal,
    )
  }

  async nodes(): Promise<readonly ClusterNode[]> {
    return (await listAll<ClusterNode>(this.#world.kube, { path: NODES, signal: this.#world.signal })).objects
  }

  /** MachineSets or Machines that were made for this test. */
  async madeFor(testId: string, path: typeof MACHINE_SETS): Promise<readonly MachineSet[]> {
    const { objects } = await listAll<MachineSet>(this.#world.kube, { path, signal: this.#world.signal })
    return objects.filter(({ metadata }) => metadata?.annotations?.[FALLBACK_TEST_ID_ANNOTATION] === testId)
  }

  /** Names of Nodes that run on a Machine which is no more. */
  async orphans(): Promise<(string | undefined)[]> {
    const { objects } = await listAll(this.#world.kube, { path: MACHINES, signal: this.#world.signal })
    const machines = new Set(objects.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`))
    const owner = ({ metadata }: ClusterNode): string | undefined =>
      metadata?.annotations?.[MACHINE_ANNOTATION]
    const orphans = (await this.nodes()).filter((node) => owner(node) && !machines.has(owner(node) ?? ''))
    return orphans.map(({ metadata }) => metadata?.name)
  }

  async #merge(name: string, data: Readonly<Record<string, string>>): Promise<void> {
    const { kube, signal } = this.#world
    const metadata = { name, namespace: WMCO_NAMESPACE }
    try {
      await kube.patch(objectPath(OPERATOR_CONFIG_MAPS, name), { data }, 'merge', signal)
    } catch (error) {
      if (!isNotFound(error)) throw error
      await kube.create(OPERATOR_CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, signal)
    }
  }

  async #find<T extends KubernetesObject>(path: string): Promise<T | undefined> {
    return ifFound(this.#world.kube.get<T>(path, this.#world.signal))
  }
}
