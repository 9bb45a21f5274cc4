import { readFile } from 'node:fs/promises'
import {
  type Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { KubernetesObject } from '../contract/kubernetes.ts'
import { agentFor } from './agent.ts'
import { ApiStatusError } from './api-status-error.ts'
import type { KubeConnection } from './kubeconfig.ts'

export interface KubeRequest {
  readonly method?: string
  /** Absolute on the server, `/api/v1/nodes`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as it is when a string, as JSON otherwise. */
  readonly body?: unknown
  /** Of the body; application/json by default. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until the whole answer must be there. Default 30,000. */
  readonly timeoutMs?: number
}

export interface KubeResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Parsed where the answer is JSON, else text. */
  readonly body: unknown
}

/** Bodies above this are refused: nothing that Kubernetes answers in one piece is as large. */
const MAX_BODY_BYTES = 512 * 1024 * 1024
const DEFAULT_TIMEOUT_MS = 30_000

/** The content type of each way to patch. */
export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

/**
 * The light client: what helpers, stand-ins and watches use instead of @kubernetes/client-node, whose loading
 * alone takes longer than their whole start may. Connections are kept alive until `close`.
 */
export class KubeClient {
  readonly connection: KubeConnection
  readonly #agent: HttpAgent | HttpsAgent

  constructor(connection: KubeConnection) {
    this.connection = connection
    this.#agent = agentFor(connection)
  }

  /** Ends idle and busy connections; the client can't be used afterwards. */
  close(): void {
    this.#agent.destroy()
  }

  /** One request, whatever the answer's status. Throws only when there is no answer, or the signal aborts. */
  async request(request: KubeRequest): Promise<KubeResponse> {
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS
    const limit = AbortSignal.timeout(timeoutMs)
    const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit
    try {
      const answer = await this.#open(request, signal)
      const content = await readAll(answer)
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: parseBody(answer, content) }
    } catch (cause) {
      request.signal?.throwIfAborted()
      const why = limit.aborted ? `no answer within ${timeoutMs} ms` : (cause as Error).message
      throw new KubeRequestError(describe(request), why, { cause })
    }
  }

  /**
   * Opens an answer that goes on (a watch, a followed log): resolves with its head, throws ApiStatusError unless
   * it is a success. Its time is bounded by the signal alone.
   */
  async stream(request: KubeRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const answer = await this.#open(request, signal)
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return answer
    const body = parseBody(answer, await readAll(answer))
    throw new ApiStatusError(describe(request), status, body, answer.headers['retry-after'])
  }

  /** As `request`, but anything except success throws ApiStatusError; answers the parsed body. */
  async call<T = KubernetesObject>(request: KubeRequest): Promise<T> {
    const { status, headers, body } = await this.request(request)
    if (status >= 200 && status < 300) return body as T
    throw new ApiStatusError(describe(request), status, body, headers['retry-after'])
  }

  get<T = KubernetesObject>(path: string, signal?: AbortSignal): Promise<T> {
    return this.call<T>({ path, signal })
  }

  create<T = KubernetesObject>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return this.call<T>({ method: 'POST', path, body, signal })
  }

  update<T = KubernetesObject>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return this.call<T>({ method: 'PUT', path, body, signal })
  }

  patch<T = KubernetesObject>(
    path: string,
    body: unknown,
    type: keyof typeof PATCH_TYPES,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.call<T>({ method: 'PATCH', path, body, contentType: PATCH_TYPES[type], signal })
  }

  /** Options are DeleteOptions: `propagationPolicy`, `preconditions`, `gracePeriodSeconds`. */
  delete<T = KubernetesObject>(path: string, options?: unknown, signal?: AbortSignal): Promise<T> {
    return this.call<T>({ method: 'DELETE', path, body: options, signal })
  }

  async #open(request: KubeRequest, signal: AbortSignal): Promise<IncomingMessage> {
    signal.throwIfAborted()
    const { token, tokenFile } = this.connection
    const bearer = tokenFile ? (await readFile(tokenFile, 'utf8')).trim() : token
    const once = (): Promise<IncomingMessage> =>
      dial(this.connection.server, this.#agent, request, bearer, signal)
    try {
      return await once()
    } catch (error) {
      // A kept connection may be closed by the server just as it is used again. Only reads are repeated: of a
      // write it can't be known whether it took effect.
      if ((request.method ?? 'GET') === 'GET' && (error as ReusedSocketError).reusedSocket)
        return await once()
      throw error
    }
  }
}

/** No answer came: refused, reset, or too late. Whether a write took effect is not known. */
class KubeRequestError extends Error {
  constructor(request: string, why: string, options?: { cause?: unknown }) {
    super(`${request}: ${why}`, options)
    this.name = 'KubeRequestError'
  }
}

interface ReusedSocketError extends Error {
  reusedSocket?: boolean
}

function dial(
  server: string,
  agent: HttpAgent | HttpsAgent,
  request: KubeRequest,
  bearer: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(server + request.path)
  for (const [key, value] of Object.entries(request.query ?? {}))
    if (value !== undefined) url.searchParams.append(key, String(value))
  const body = encodeBody(request.body)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const open = url.protocol === 'http:' ? httpRequest : httpsRequest
  const outgoing = open(url, {
    agent,
    method: request.method ?? 'GET',
    signal,
    headers: {
      accept: 'application/json',
      'user-agent': 'poolwright',
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && {
        'content-type': request.contentType ?? 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...request.headers,
    },
  })
  outgoing.on('response', resolve)
  outgoing.on('error', (error: ReusedSocketError) => {
    error.reusedSocket = outgoing.reusedSocket && !signal.aborted
    reject(error)
  })
  outgoing.end(body)
  return promise
}

function encodeBody(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
}

async function readAll(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error(`the answer is larger than ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseBody(answer: IncomingMessage, content: string): unknown {
  if (!/[/+]json/.test(answer.headers['content-type'] ?? '')) return content
  return JSON.parse(content)
}

function describe(request: KubeRequest): string {
  return `${request.method ?? 'GET'} ${request.path}`
}
