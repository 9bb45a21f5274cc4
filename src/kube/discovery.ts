import { ApiStatusError } from './api-status-error.ts'
import type { KubeClient } from './client.ts'
import { collectionPath } from './paths.ts'

/** A kind that a group and version serves. */
export interface ServedResource {
  /** In the plural, with its parent's where it is a subresource: `pods/log`. */
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}

export interface Discovered {
  readonly collections: readonly { readonly kind: string; readonly path: string }[]
  /** What could not be looked at, each in words. */
  readonly unseen: readonly string[]
}

/** How a read is carried out: once, unless the caller tries again. */
type Ask = <T>(read: () => Promise<T>) => Promise<T>

interface GroupList {
  readonly groups?: readonly { readonly preferredVersion: { readonly groupVersion: string } }[]
}

const once: Ask = (read) => read()

/** What a group and version serves, subresources too. Throws ApiStatusError where there is no such one. */
export async function servedResources(
  kube: KubeClient,
  apiVersion: string,
  signal: AbortSignal,
  ask: Ask = once,
): Promise<readonly ServedResource[]> {
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const { resources = [] } = await ask(() => kube.get<{ resources?: ServedResource[] }>(path, signal))
  return resources
}

/** Everything that can be listed and is in no namespace, custom resources too, each in the version that the API prefers. */
export async function clusterScopedCollections(
  kube: KubeClient,
  signal: AbortSignal,
  ask: Ask = once,
): Promise<Discovered> {
  const { groups = [] } = await ask(() => kube.get<GroupList>('/apis', signal))
  const versions = ['v1', ...groups.map(({ preferredVersion }) => preferredVersion.groupVersion)]
  const found = await Promise.all(
    versions.map(async (version): Promise<Discovered> => {
      try {
        const listed = (await servedResources(kube, version, signal, ask)).filter(
          ({ name, namespaced, verbs }) => !namespaced && !name.includes('/') && verbs.includes('list'),
        )
        return {
          collections: listed.map(({ name, kind }) => ({ kind, path: collectionPath(version, name) })),
          unseen: [],
        }
      } catch (error) {
        // An extension that is down, or a group whose last definition has just gone.
        if (!(error instanceof ApiStatusError)) throw error
        return { collections: [], unseen: error.code === 404 ? [] : [error.message] }
      }
    }),
  )
  return {
    collections: found.flatMap(({ collections }) => collections),
    unseen: found.flatMap(({ unseen }) => unseen),
  }
}
