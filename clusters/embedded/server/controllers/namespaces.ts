import { listAt, withValueAt } from '../json/access.ts'
import { create } from '../registry/create.ts'
import { removeStored } from '../registry/delete.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import type { Registry } from '../registry/registry.ts'
import type { Resource } from '../registry/resource.ts'
import type { Change } from '../store/history.ts'

const NOW = { dryRun: false, uid: undefined, resourceVersion: undefined }

/**
 * What the controller manager does for namespaces: gives each its ConfigMap `kube-root-ca.crt` and its ServiceAccount `default`, and
 * empties and removes those whose deletion was asked for. Returns how to stop.
 */
export function runNamespaceController(registry: Registry, authority: string): () => void {
  const pending = new Set<string>()
  let stopped = false
  const visit = (name: string): void => {
    if (pending.has(name)) return
    pending.add(name)
    setImmediate(() => {
      pending.delete(name)
      if (!stopped) reconcile(registry, authority, name)
    })
  }
  const stops = new Set<() => void>()
  const followed = new Set<string>()
  const followAll = (): void => {
    for (const row of registry.resources()) {
      if (followed.has(row.collection)) continue
      followed.add(row.collection)
      stops.add(registry.store.follow(row.collection, onChange))
    }
  }
  const onChange = (change: Change): void => {
    if (change.collection === 'namespaces') visit(change.key)
    else if (change.after === undefined && change.key.includes('/'))
      visit(change.key.slice(0, change.key.indexOf('/')))
    followAll()
  }
  followAll()
  return () => {
    stopped = true
    for (const stop of stops) stop()
  }
}

function reconcile(registry: Registry, authority: string, name: string): void {
  const namespace = registry.store.get('namespaces', name)
  if (namespace === undefined) return
  if (namespace.object.metadata.deletionTimestamp === undefined) furnish(registry, authority, name)
  else empty(registry, namespace.object, name)
}

function furnish(registry: Registry, authority: string, name: string): void {
  ensure(registry, 'serviceaccounts', name, 'default', {})
  ensure(registry, 'configmaps', name, 'kube-root-ca.crt', {
    metadata: {
      annotations: {
        'kubernetes.io/description':
          'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
      },
    },
    data: { 'ca.crt': authority },
  })
}

function ensure(
  registry: Registry,
  resource: string,
  namespace: string,
  name: string,
  content: object,
): void {
  const row = registry.find('', 'v1', resource)
  if (row === undefined || registry.get(row, namespace, name) !== undefined) return
  const { metadata, ...rest } = content as { metadata?: object }
  const { object } = row.decode({ metadata: { ...metadata, name }, ...rest })
  create(registry, row, namespace, object, { dryRun: false })
}

function empty(registry: Registry, namespace: KubeObject, name: string): void {
  let remaining = 0
  for (const row of distinctNamespaced(registry)) {
    for (const stored of registry.store.list(row.collection, `${name}/`)) {
      if (stored.object.metadata.deletionTimestamp === undefined) removeStored(registry, row, stored, NOW)
      if (registry.store.get(row.collection, stored.key) !== undefined) remaining++
    }
  }
  if (remaining > 0) return
  const row = registry.find('', 'v1', 'namespaces') as Resource
  const finalizers = listAt(namespace, 'spec', 'finalizers').filter((each) => each !== 'kubernetes')
  if (finalizers.length < listAt(namespace, 'spec', 'finalizers').length) {
    registry.put(row, withValueAt(namespace, ['spec'], finalizers.length === 0 ? {} : { finalizers }))
  }
  if (finalizers.length === 0 && (namespace.metadata.finalizers ?? []).length === 0)
    registry.store.delete('namespaces', name)
}

function distinctNamespaced(registry: Registry): Resource[] {
  const seen = new Set<string>()
  return registry.resources().filter((row) => {
    if (!row.namespaced || seen.has(row.collection)) return false
    seen.add(row.collection)
    return true
  })
}
