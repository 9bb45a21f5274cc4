import { UsageError } from '../contract/errors.ts'
import { whyNoKubeconfig } from '../contract/kubeconfig-file.ts'
import type { KubernetesObject } from '../contract/kubernetes.ts'
import { failureOfAnswer, failureOnTheWay } from './classify.ts'
import {
  HttpMethod,
  IsomorphicFetchHttpLibrary,
  KubeConfig,
  RequestContext,
  type ResponseContext,
} from './client-node.ts'
import type { CallOptions, KubernetesApi, Resource } from './kubernetes-api.ts'
import { pathOf } from './resource-path.ts'

const DEFAULT_TIMEOUT_MS = 30_000
const WHOLE = 'application/json'
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1, application/json'

/**
 * The API behind a kubeconfig's current context; of several files the first to have a name or value has its way, as in
 * client-go. Credentials, TLS and proxies are client-node's; bodies are plain JSON,
 * since its generated models drop what they don't know, and a key such as `__proto__` with it.
 * Throws a UsageError when the file cannot be used.
 */
export function connectApi(kubeconfig: string | readonly string[]): KubernetesApi {
  const files = [kubeconfig].flat()
  const config = merge(files.map(load))
  const server = config.getCurrentCluster()?.server
  if (!server) throw new UsageError(`The kubeconfig ${files.join(', ')} names no current cluster.`)
  const base = server.replace(/\/+$/, '')
  const http = new IsomorphicFetchHttpLibrary()

  async function call(method: HttpMethod, path: string, options: CallOptions, body?: Body): Promise<unknown> {
    options.signal.throwIfAborted()
    const request = new RequestContext(base + path, method)
    await config.applySecurityAuthentication(request)
    request.setHeaderParam('Accept', options.metadataOnly ? METADATA : WHOLE)
    if (body) {
      request.setHeaderParam('Content-Type', body.type)
      request.setBody(JSON.stringify(body.value))
    }
    const timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    request.setSignal(AbortSignal.any([options.signal, timeout]))
    const subject = `${method} ${path}`
    let answer: ResponseContext
    let text: string
    try {
      answer = await http.send(request).toPromise()
      text = await answer.body.text()
    } catch (error) {
      options.signal.throwIfAborted()
      throw failureOnTheWay(subject, error)
    }
    if (answer.httpStatusCode >= 300)
      throw failureOfAnswer(subject, answer.httpStatusCode, answer.headers, text)
    try {
      return JSON.parse(text)
    } catch (error) {
      throw failureOnTheWay(subject, error)
    }
  }

  return {
    get: async <T extends KubernetesObject>(resource: Resource, name: string, options: CallOptions) =>
      (await call(HttpMethod.GET, pathOf(resource, name), options)) as T,
    list: async <T extends KubernetesObject>(
      resource: Resource,
      options: CallOptions & { labelSelector?: string },
    ) => {
      const query = options.labelSelector
        ? `?${new URLSearchParams({ labelSelector: options.labelSelector })}`
        : ''
      const list = (await call(HttpMethod.GET, pathOf(resource) + query, options)) as { items?: T[] | null }
      return list.items ?? []
    },
    create: async <T extends KubernetesObject>(resource: Resource, value: T, options: CallOptions) =>
      (await call(HttpMethod.POST, pathOf(resource), options, { type: WHOLE, value })) as T,
    mergePatch: async <T extends KubernetesObject>(
      resource: Resource,
      name: string,
      value: object,
      options: CallOptions,
    ) =>
      (await call(HttpMethod.PATCH, pathOf(resource, name), options, {
        type: 'application/merge-patch+json',
        value,
      })) as T,
    jsonPatch: async <T extends KubernetesObject>(
      resource: Resource,
      name: string,
      value: readonly object[],
      options: CallOptions,
    ) =>
      (await call(HttpMethod.PATCH, pathOf(resource, name), options, {
        type: 'application/json-patch+json',
        value,
      })) as T,
    delete: async (resource, name, options) => {
      const preconditions = options.uid ? { preconditions: { uid: options.uid } } : {}
      await call(HttpMethod.DELETE, pathOf(resource, name), options, {
        type: WHOLE,
        value: { apiVersion: 'v1', kind: 'DeleteOptions', ...preconditions },
      })
    },
  }
}

interface Body {
  readonly type: string
  readonly value: unknown
}

/** client-node's own merge refuses a name that two files have. */
function merge(configs: readonly ReturnType<typeof load>[]) {
  const [only] = configs
  if (only && configs.length === 1) return only
  const merged = new KubeConfig()
  merged.loadFromOptions({
    clusters: firstOfEach(configs.flatMap(({ clusters }) => clusters)),
    users: firstOfEach(configs.flatMap(({ users }) => users)),
    contexts: firstOfEach(configs.flatMap(({ contexts }) => contexts)),
    currentContext: configs.map(({ currentContext }) => currentContext).find(Boolean) ?? '',
  })
  return merged
}

function firstOfEach<T extends { readonly name: string }>(all: readonly T[]): T[] {
  return [...Map.groupBy(all, ({ name }) => name).values()].flatMap((same) => same.slice(0, 1))
}

function load(kubeconfig: string) {
  const config = new KubeConfig()
  try {
    const unfit = whyNoKubeconfig(kubeconfig)
    if (unfit) throw new Error(unfit)
    config.loadFromFile(kubeconfig)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`The kubeconfig ${kubeconfig} cannot be read: ${reason}`, { cause })
  }
  return config
}
