import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KubeClient } from '../../src/kube/client.ts'
import { failure, json, type ScriptedServer, scriptedServer } from '../../src/kube/scripted-server.ts'
import type { Cordons } from './drain.ts'
import type { DrainedPod } from './drained-pod.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

export interface AskedEviction {
  readonly path: string
  /** Without one, whichever pod has the name by then. */
  readonly uid: string | undefined
  readonly gracePeriodSeconds: number | undefined
}

/** An API server with one node, for the tests of drains: its pods come and go as a test says. */
export class ScriptedNode implements Cordons {
  /** In order: `cordon`, `uncordon`. */
  readonly cordons: string[] = []
  readonly evictions: AskedEviction[] = []
  /** Names of DaemonSets in namespace `ns`. */
  readonly daemonSets: readonly string[] = ['agent']
  isCordoned = false
  /** Answers the n-th eviction, the last one all further; by default each is granted and the pod is gone at once. */
  answers: ((asked: AskedEviction) => Answer)[] = [(asked) => this.granted(asked)]
  #pods: readonly DrainedPod[]
  readonly #watches: { readonly kind: string; readonly response: ServerResponse }[] = []
  readonly #history: { readonly kind: string; readonly version: number; readonly line: string }[] = []
  readonly #watched = Promise.withResolvers<void>()
  #version = 10
  #server: ScriptedServer | undefined
  /** Of the last request that named one. */
  labelSelector: string | null = null

  constructor(pods: readonly DrainedPod[]) {
    this.#pods = pods
  }

  async start(): Promise<void> {
    this.#server = await scriptedServer((request, response) => void this.#answer(request, response))
  }

  async stop(): Promise<void> {
    await this.#server?.stop()
  }

  get kube(): KubeClient {
    if (!this.#server) throw new Error('not started')
    return this.#server.client
  }

  async cordon(node: string): Promise<void> {
    this.cordons.push(`cordon ${node}`)
  }

  async uncordon(node: string): Promise<void> {
    this.cordons.push(`uncordon ${node}`)
  }

  granted({ uid, path }: AskedEviction): Answer {
    return (request, response) => {
      json(201, { kind: 'Status', status: 'Success' })(request, response)
      const named = this.#pods.find(({ metadata }) => path.endsWith(`/${metadata?.name}/eviction`))
      this.remove(uid ?? named?.metadata?.uid ?? '')
    }
  }

  remove(uid: string): void {
    const gone = this.#pods.find(({ metadata }) => metadata?.uid === uid)
    this.#pods = this.#pods.filter((pod) => pod !== gone)
    if (gone) this.#tell('pods', 'DELETED', gone)
  }

  put(pod: DrainedPod): void {
    const rest = this.#pods.filter(({ metadata }) => metadata?.uid !== pod.metadata?.uid)
    this.#pods = [...rest, pod]
    this.#tell('pods', rest.length < this.#pods.length - 1 ? 'ADDED' : 'MODIFIED', pod)
  }

  budgetChanged(): void {
    this.#tell('poddisruptionbudgets', 'MODIFIED', { metadata: { name: 'budget', namespace: 'ns' } })
  }

  /** Resolves when somebody watches the pods. */
  get watched(): Promise<void> {
    return this.#watched.promise
  }

  /** Ends every open watch as one whose history is lost, so that all is listed again. */
  loseHistory(): void {
    const status = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' }
    for (const { response } of this.#watches.splice(0))
      response.end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`)
  }

  #tell(kind: string, type: string, object: DrainedPod): void {
    const version = ++this.#version
    const metadata = { ...object.metadata, resourceVersion: String(version) }
    const line = `${JSON.stringify({ type, object: { ...object, metadata } })}\n`
    this.#history.push({ kind, version, line })
    for (const watch of this.#watches) if (watch.kind === kind) watch.response.write(line)
  }

  #watch(kind: string, from: number, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    for (const event of this.#history)
      if (event.kind === kind && event.version > from) response.write(event.line)
    this.#watches.push({ kind, response })
    if (kind === 'pods') this.#watched.resolve()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const kind = url.pathname.slice(url.pathname.lastIndexOf('/') + 1)
    this.labelSelector = url.searchParams.get('labelSelector') ?? this.labelSelector
    if (url.searchParams.has('watch'))
      this.#watch(kind, Number(url.searchParams.get('resourceVersion')), response)
    else if (kind === 'eviction') await this.#answerEviction(url.pathname, request, response)
    else json(...this.#read(url.pathname, kind))(request, response)
  }

  #read(path: string, kind: string): [number, unknown] {
    const metadata = { resourceVersion: String(this.#version) }
    if (kind === 'poddisruptionbudgets') return [200, { kind: 'List', metadata, items: [] }]
    if (path === '/api/v1/pods')
      return [200, { kind: 'PodList', apiVersion: 'v1', metadata, items: this.#pods }]
    if (path.startsWith('/api/v1/nodes/'))
      return [200, { kind: 'Node', spec: { unschedulable: this.isCordoned } }]
    const isDaemonSet = path.includes('/daemonsets/')
    const found = isDaemonSet
      ? this.daemonSets.includes(kind) && { kind: 'DaemonSet' }
      : this.#pods.find(({ metadata }) => metadata?.name === kind)
    return found ? [200, found] : [404, { kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound' }]
  }

  async #answerEviction(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const piece of request) body += piece
    const { deleteOptions } = JSON.parse(body)
    const asked = {
      path,
      uid: deleteOptions.preconditions?.uid,
      gracePeriodSeconds: deleteOptions.gracePeriodSeconds,
    }
    const answer = this.answers[Math.min(this.evictions.length, this.answers.length - 1)]
    this.evictions.push(asked)
    answer?.(asked)(request, response)
  }
}

/** What a budget answers; the API names 0 seconds where it knows no time. */
export function refusedByBudget(retryAfterSeconds = 0): Answer {
  const message = 'The disruption budget budget needs 1 healthy pods and has 1 currently'
  return failure(429, 'TooManyRequests', {
    retryAfterSeconds,
    causes: [{ reason: 'DisruptionBudget', message }],
  })
}
