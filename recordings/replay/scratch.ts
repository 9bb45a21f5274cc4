import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, type Json } from '../exact-json.ts'
import { valueAt } from '../json-path.ts'
import type { Vector, VectorRequest } from '../vector.ts'
import type { Answer } from './answer.ts'
import type { Target } from './target.ts'

const READY_LIMIT_MS = 15_000
const GONE_LIMIT_MS = 90_000
const PAUSE_MS = 100

/** What a vector stands on and leaves behind: its namespace, and the cluster-scoped objects that it creates. */
export class Scratch {
  readonly #target: Target
  readonly #vector: Vector
  readonly #signal: AbortSignal
  /** Paths of the objects created, each once. */
  readonly #created = new Set<string>()

  constructor(target: Target, vector: Vector, signal: AbortSignal) {
    this.#target = target
    this.#vector = vector
    this.#signal = signal
  }

  /** Creates the namespace and waits for what its controllers put there. */
  async setUp(): Promise<void> {
    const name = this.#vector.namespace
    if (name === null) return
    const metadata = { ...this.#vector.namespaceMetadata, name }
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata }
    const create = { method: 'POST', path: '/api/v1/namespaces', body }
    let answer = await this.#send(create)
    if (answer.status === 409) {
      await this.#send({ method: 'DELETE', path: `/api/v1/namespaces/${name}` })
      await this.#wait(`/api/v1/namespaces/${name}`, 404, GONE_LIMIT_MS)
      answer = await this.#send(create)
    }
    if (answer.status !== 201) throw new Error(`namespace ${name} can't be created: ${answer.status}`)
    await this.#wait(`/api/v1/namespaces/${name}/serviceaccounts/default`, 200, READY_LIMIT_MS)
    await this.#wait(`/api/v1/namespaces/${name}/configmaps/kube-root-ca.crt`, 200, READY_LIMIT_MS)
  }

  /** Notes an object that a request of the vector created. */
  readonly saw = (request: VectorRequest, answer: Answer): void => {
    if (answer.status !== 201 || /[?&]dryRun=/.test(request.path)) return
    const path = request.path.replace(/\?.*/, '')
    const name = valueAt(answer.body, '$.metadata.name')
    if (request.method === 'POST' && typeof name === 'string') this.#created.add(`${path}/${name}`)
    else if (request.method !== 'POST') this.#created.add(path)
  }

  /** Deletes all of it; a namespace goes on terminating for a while. */
  async tearDown(): Promise<void> {
    for (const path of [...this.#created].reverse()) await this.#remove(path)
    if (this.#vector.namespace !== null) await this.#remove(`/api/v1/namespaces/${this.#vector.namespace}`)
  }

  /** Resolves when the namespace is gone. */
  async gone(): Promise<void> {
    if (this.#vector.namespace !== null)
      await this.#wait(`/api/v1/namespaces/${this.#vector.namespace}`, 404, GONE_LIMIT_MS)
  }

  async #remove(path: string): Promise<void> {
    const { status, body } = await this.#send({ method: 'DELETE', path })
    if (status >= 300 || isNamespace(path) || !hasFinalizers(body)) return
    await this.#send({ method: 'PATCH', path, body: { metadata: { finalizers: null } } })
  }

  async #wait(path: string, status: number, limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs
    for (;;) {
      const answer = await this.#send({ method: 'GET', path })
      if (answer.status === status) return
      if (performance.now() > deadline)
        throw new Error(`${path} still answers ${answer.status} after ${limitMs} ms`)
      await sleep(PAUSE_MS, undefined, { signal: this.#signal })
    }
  }

  #send(request: VectorRequest): Promise<Answer> {
    return this.#target.request(request, this.#signal)
  }
}

function hasFinalizers(body: Json): boolean {
  const metadata = isObject(body) ? body.metadata : undefined
  return isObject(metadata) && Array.isArray(metadata.finalizers) && metadata.finalizers.length > 0
}

function isNamespace(path: string): boolean {
  return /^\/api\/v1\/namespaces\/[^/]+$/.test(path)
}
