import type { KubernetesObject } from '../contract/kubernetes.ts'
import { ApiStatusError } from './api-status-error.ts'
import type { KubeClient } from './client.ts'

export interface ListRequest {
  /** The collection, `/api/v1/nodes`. */
  readonly path: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly signal?: AbortSignal
}

export interface Listed<T> {
  readonly objects: readonly T[]
  readonly resourceVersion: string
}

interface List<T> extends KubernetesObject {
  items?: T[] | null
}

const PAGE_SIZE = 500

/**
 * The whole collection at one version, page by page; in one piece when the pages expire under way. Objects carry
 * their kind and apiVersion, which the API leaves out of lists. Throws ApiStatusError.
 */
export async function listAll<T extends KubernetesObject>(
  client: KubeClient,
  request: ListRequest,
): Promise<Listed<T>> {
  const objects: T[] = []
  let page = await listPage<T>(client, request, PAGE_SIZE)
  while (true) {
    objects.push(...complete(page))
    const next = page.metadata?.continue
    if (typeof next !== 'string' || next === '') break
    try {
      page = await listPage<T>(client, request, PAGE_SIZE, next)
    } catch (error) {
      if (!(error instanceof ApiStatusError && error.code === 410)) throw error
      page = await listPage<T>(client, request)
      objects.length = 0
    }
  }
  return { objects, resourceVersion: page.metadata?.resourceVersion ?? '' }
}

function listPage<T>(
  client: KubeClient,
  { path, labelSelector, fieldSelector, signal }: ListRequest,
  limit?: number,
  next?: string,
): Promise<List<T>> {
  return client.call<List<T>>({
    path,
    query: { labelSelector, fieldSelector, limit, continue: next },
    signal,
  })
}

function complete<T extends KubernetesObject>(page: List<T>): T[] {
  const kind = page.kind?.replace(/List$/, '')
  const { apiVersion } = page
  return (page.items ?? []).map((item) => ({
    ...(kind && { kind }),
    ...(apiVersion && { apiVersion }),
    ...item,
  }))
}
