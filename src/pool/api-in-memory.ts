import fastJsonPatch from 'fast-json-patch'
import { ApiFailure } from '../api/api-failure.ts'
import type { JsonPatchOperation, KubernetesApi, Resource } from '../api/kubernetes-api.ts'
import type { ConfigMap, KubernetesObject, ObjectMeta } from '../contract/kubernetes.ts'

export interface ApiInMemory extends KubernetesApi {
  readonly objects: Map<string, KubernetesObject>
  /** Every merge and JSON patch asked for, in order. */
  readonly patches: unknown[]
  readonly reads: string[]
  /** Runs before a call is carried out; what it throws is the call's answer. */
  before: (verb: 'get' | 'list' | 'patch', name: string) => void | Promise<void>
  /** Runs after a patch took effect; what it throws is its answer. */
  afterPatch: () => void
  /** Another writer. */
  change(name: string, edit: (configMap: ConfigMap) => void): void
}

/** For tests of decisions: a table that answers as an API server was seen to answer, as far as the pool asks it. */
export function apiInMemory(configMaps: Record<string, Record<string, string>> = {}): ApiInMemory {
  let version = 100
  const objects = new Map<string, KubernetesObject>()
  const keyOf = (resource: Resource, name: string) => `${resource.plural}/${name}`
  const store = (key: string, object: KubernetesObject) => {
    const stored = structuredClone(object)
    stored.metadata = { ...stored.metadata, resourceVersion: String(++version) }
    objects.set(key, stored)
    return structuredClone(stored)
  }
  const demand = (key: string) => {
    const object = objects.get(key)
    if (!object) throw new ApiFailure('missing', `${key} not found`, { code: 404 })
    return structuredClone(object)
  }
  const api: ApiInMemory = {
    objects,
    patches: [],
    reads: [],
    before: () => undefined,
    afterPatch: () => undefined,
    change(name, edit) {
      const object = demand(`configmaps/${name}`) as ConfigMap
      edit(object)
      store(`configmaps/${name}`, object)
    },
    async get<T extends KubernetesObject>(resource: Resource, name: string) {
      await api.before('get', name)
      api.reads.push(keyOf(resource, name))
      return demand(keyOf(resource, name)) as T
    },
    async list<T extends KubernetesObject>(resource: Resource) {
      await api.before('list', resource.plural)
      return [...objects]
        .filter(([key]) => key.startsWith(`${resource.plural}/`))
        .map(([, it]) => structuredClone(it) as T)
    },
    async create<T extends KubernetesObject>(resource: Resource, object: T) {
      const key = keyOf(resource, object.metadata?.name ?? '')
      if (objects.has(key)) throw new ApiFailure('exists', `${key} exists already`, { code: 409 })
      return store(key, { ...object, metadata: { uid: `uid-${++version}`, ...object.metadata } }) as T
    },
    async mergePatch<T extends KubernetesObject>(resource: Resource, name: string, patch: object) {
      await api.before('patch', name)
      api.patches.push(patch)
      const object = demand(keyOf(resource, name)) as ConfigMap
      const { metadata, data } = patch as {
        metadata: ObjectMeta & { annotations?: Entries }
        data: Entries
      }
      if (
        metadata.resourceVersion !== object.metadata?.resourceVersion ||
        metadata.uid !== object.metadata?.uid
      )
        throw new ApiFailure('conflict', 'the object has been modified', { code: 409 })
      const annotations = merge(object.metadata?.annotations, metadata.annotations)
      const merged = {
        ...object,
        metadata: { ...object.metadata, annotations },
        data: merge(object.data, data),
      }
      const result = store(keyOf(resource, name), merged)
      api.afterPatch()
      return { metadata: result.metadata } as T
    },
    async jsonPatch<T extends KubernetesObject>(
      resource: Resource,
      name: string,
      patch: readonly JsonPatchOperation[],
    ) {
      await api.before('patch', name)
      api.patches.push(patch)
      const object = demand(keyOf(resource, name))
      let result: KubernetesObject
      try {
        result = fastJsonPatch.applyPatch(
          object,
          structuredClone(patch) as fastJsonPatch.Operation[],
        ).newDocument
      } catch (cause) {
        throw new ApiFailure('rejected', 'the server rejected our request', { code: 422, cause })
      }
      const stored = store(keyOf(resource, name), result)
      api.afterPatch()
      return stored as T
    },
    async delete(resource, name) {
      objects.delete(keyOf(resource, name))
    },
  }
  for (const [name, data] of Object.entries(configMaps))
    store(`configmaps/${name}`, { metadata: { name, uid: `uid-of-${name}` }, data } as ConfigMap)
  store('namespaces/windows', { metadata: { name: 'windows' } })
  return api
}

type Entries = Readonly<Record<string, string | null>>

function merge(into: Readonly<Record<string, string>> = {}, patch: Entries = {}): Record<string, string> {
  const merged = new Map(Object.entries(into))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}
