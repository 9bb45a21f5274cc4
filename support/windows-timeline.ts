import type { ConfigMap, KubernetesObject } from '../src/contract/kubernetes.ts'
import { INSTANCES_CONFIG_MAP } from '../src/contract/names.ts'
import { listWatch, type WatchItem } from '../src/kube/list-watch.ts'
import { collectionPath } from '../src/kube/paths.ts'
import { fieldsOf } from './entry-fields.ts'
import { textTable } from './evidence/text-table.ts'
import { perWorld } from './per-world.ts'
import { windowsClusterOf } from './windows-cluster.ts'
import type { Listener } from './windows-feed.ts'
import { type ClusterNode, MACHINE_SETS, MACHINES, NODES, OPERATOR_CONFIG_MAPS } from './windows-objects.ts'
import type { PoolwrightWorld } from './world.ts'

interface Sighting {
  readonly at: string
  readonly resourceVersion: string
  readonly what: string
}

type Tell = (object: KubernetesObject) => string | undefined

/** Starts to write down, once a scenario, what becomes of its hosts; from the first call on. */
export const timelineOf = perWorld((world) => new WindowsTimeline(world))

/** What happened to windows-instances, the pool, Nodes and Machines, as watches saw it: evidence, never a verdict. */
class WindowsTimeline {
  readonly #sightings: Sighting[] = []
  readonly #world: PoolwrightWorld

  constructor(world: PoolwrightWorld) {
    this.#world = world
    const pool = collectionPath('v1', 'configmaps', world.site.namespace)
    const tellPool = this.#teller(
      pool,
      onlyNamed(world.site.configMap, (object) => states(object).join(', ') || 'empty'),
    )
    void this.#follow(pool, tellPool).catch((error: Error) =>
      this.#add('', `watch of ${pool} broke: ${error.message}`),
    )
    const shared: readonly (readonly [string, Tell])[] = [
      [
        OPERATOR_CONFIG_MAPS,
        onlyNamed(INSTANCES_CONFIG_MAP, (object) => entries(object).join(', ') || 'empty'),
      ],
      [NODES, tellNode],
      [MACHINE_SETS, (object) => `MachineSet ${object.metadata?.name}`],
      [
        MACHINES,
        (object) => `Machine ${object.metadata?.name} ${(object.status as { phase?: string })?.phase ?? ''}`,
      ],
    ]
    for (const [path, tell] of shared) world.feeds.of(path).listen(this.#teller(path, tell), world.signal)
  }

  /** Attaches windows-instances as it now is, and how it came to be so. */
  async attach(): Promise<void> {
    const now = Object.entries(await (await windowsClusterOf(this.#world)).instances())
    const rows = this.#sightings.map(({ at, resourceVersion, what }) => [at, resourceVersion, what])
    const text = [
      'windows-instances now:',
      ...(now.length > 0 ? now.map(([address, line]) => `  ${address}: ${line}`) : ['  no entries']),
      '',
      textTable(['time', 'resourceVersion', 'seen'], rows),
    ]
    this.#world.attach(text.join('\n'), {
      mediaType: 'text/plain',
      fileName: 'windows-instances during and after.txt',
    })
  }

  async #follow(path: string, tell: Listener): Promise<void> {
    const { kube, signal } = this.#world
    for await (const item of listWatch<KubernetesObject>(kube, { path, signal })) tell(item)
  }

  /** Writes down what of a collection is new in the words in which it is told. */
  #teller(path: string, tell: Tell): Listener {
    const last = new Map<string, string>()
    return (item) => {
      if (item.type === 'GAP') this.#add(item.resourceVersion, `${path}: changes may have been missed`)
      for (const object of objectsOf(item)) {
        const told = toldBy(tell, object)
        const what = told && (item.type === 'DELETED' ? `${told}: deleted` : told)
        const name = object.metadata?.name ?? ''
        if (what === undefined || last.get(name) === what) continue
        last.set(name, what)
        this.#add(object.metadata?.resourceVersion ?? '', what)
      }
    }
  }

  #add(resourceVersion: string, what: string): void {
    this.#sightings.push({ at: new Date().toISOString(), resourceVersion, what })
  }
}

/** What a cluster may hold, such as an object without its usual parts, ends no watch. */
function toldBy(tell: Tell, object: KubernetesObject): string | undefined {
  try {
    return tell(object)
  } catch (error) {
    return `${object.metadata?.name} could not be told: ${(error as Error).message}`
  }
}

function objectsOf(item: WatchItem<KubernetesObject>): readonly KubernetesObject[] {
  if (item.type === 'LISTED') return item.objects
  return 'object' in item ? [item.object] : []
}

function onlyNamed(name: string, tell: (configMap: ConfigMap) => string) {
  return (object: KubernetesObject): string | undefined =>
    object.metadata?.name === name ? `${name}: ${tell(object as ConfigMap)}` : undefined
}

function entries({ data = {} }: ConfigMap): string[] {
  return Object.entries(data).map(([address, line]) => `${address} ${line}`)
}

function states({ data = {} }: ConfigMap): string[] {
  return Object.entries(data).map(([address, text]) => {
    try {
      const { status, 'test-id': testId } = fieldsOf(text)
      return testId ? `${address} ${status} by ${testId}` : `${address} ${status}`
    } catch {
      return `${address} malformed`
    }
  })
}

function tellNode(object: KubernetesObject): string {
  const { metadata, status } = object as ClusterNode
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const addresses = (status?.addresses ?? []).map(({ address }) => address).join(' ')
  const state = ready ? `Ready ${ready.status} since ${ready.lastTransitionTime}` : 'not reporting yet'
  const cordoned = (object.spec as { unschedulable?: boolean } | undefined)?.unschedulable ? ', cordoned' : ''
  return `Node ${metadata?.name} [${addresses}] ${state}${cordoned}`
}
