import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { JOURNAL_LABEL, JOURNAL_NAMESPACE, RUN_LABEL } from '../../src/contract/names.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { clusterScopedCollections } from '../../src/kube/discovery.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import { differencesOf } from './differences.ts'

/** What was found of each object, by `Kind name`. */
export type Snapshot = ReadonlyMap<string, KubernetesObject>

interface Collection {
  readonly path: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

/** Kinds outside of namespaces that nobody writes, or that nobody's run decides about. */
const VOLATILE_KINDS: readonly string[] = [
  // Made up when it is asked for.
  'ComponentStatus',
  // Measured.
  'NodeMetrics',
  // Kubelets ask for certificates when theirs run out, and a controller removes what was asked long ago.
  'CertificateSigningRequest',
]

/** Everything outside of namespaces, namespaces and custom resources too, and whatever of a run is in one that is not its own. */
export class Snapshots {
  readonly #kube: KubeClient
  readonly #collections: readonly Collection[]

  private constructor(kube: KubeClient, collections: readonly Collection[]) {
    this.#kube = kube
    this.#collections = collections
  }

  /** What can be listed is found once: no scenario here makes another kind. */
  static async of(kube: KubeClient, signal: AbortSignal): Promise<Snapshots> {
    // An extension that is down has nothing to show, before and after.
    const { collections } = await clusterScopedCollections(kube, signal)
    return new Snapshots(kube, [
      ...collections.filter(({ kind }) => !VOLATILE_KINDS.includes(kind)),
      { path: collectionPath('v1', 'configmaps', JOURNAL_NAMESPACE), labelSelector: JOURNAL_LABEL },
      {
        path: collectionPath('coordination.k8s.io/v1', 'leases', JOURNAL_NAMESPACE),
        labelSelector: RUN_LABEL,
      },
    ])
  }

  async take(signal: AbortSignal): Promise<Snapshot> {
    const lists = await Promise.all(
      this.#collections.map((collection) => listAll<KubernetesObject>(this.#kube, { ...collection, signal })),
    )
    const objects = lists.flatMap((list) => list.objects)
    return new Map(
      objects.map((object) => [`${object.kind} ${object.metadata?.name}`, lastingFieldsOf(object)]),
    )
  }
}

/** What differs between two, a line each: `Node worker /metadata/labels/rack: "7" before, absent now`. */
export function compareSnapshots(before: Snapshot, now: Snapshot): readonly string[] {
  const names = [...new Set([...before.keys(), ...now.keys()])].toSorted()
  return names.flatMap((name) => {
    const [one, other] = [before.get(name), now.get(name)]
    if (!one) return [`${name}: absent before, there now`]
    if (!other) return [`${name}: there before, absent now`]
    return differencesOf(one, other).map((difference) => `${name} ${difference}`)
  })
}

/** The object without what others write all the time, or what the API counts. */
export function lastingFieldsOf(object: KubernetesObject): KubernetesObject {
  // What controllers and kubelets see: heartbeats, conditions, usage.
  const { status: _status, ...rest } = object
  const {
    // Of every write, also of one that is taken back.
    resourceVersion: _resourceVersion,
    generation: _generation,
    // Who wrote which field when; the fields themselves are compared.
    managedFields: _managedFields,
    ...metadata
  } = object.metadata ?? {}
  return { ...rest, metadata, ...(object.kind === 'Node' && { spec: nodeSpecOf(object) }) }
}

/** Taints are told apart by key and effect: their order means nothing. */
function nodeSpecOf({ spec = {} }: KubernetesObject): object {
  const { taints, ...rest } = spec as { taints?: readonly { key: string; effect: string }[] }
  if (!taints) return rest
  return {
    ...rest,
    taints: Object.fromEntries(taints.map((taint) => [`${taint.key}:${taint.effect}`, taint])),
  }
}
