import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { KubeConnection } from '../../src/kube/kubeconfig.ts'
import { type Json, parseExact, printExact } from '../exact-json.ts'
import type { VectorRequest } from '../vector.ts'
import type { Answer, Headers } from './answer.ts'

const REQUEST_LIMIT_MS = 60_000
/** Connections are kept, but not for as long as a server keeps them: one closed just as it is used again loses a request. */
const KEPT = { keepAlive: true, timeout: 2_000 } as const
/** Left as they are in a path; everything else that may not stand there is percent-encoded. */
const NEEDS_ENCODING = /[^\w\-.~:/?[\]@!$&'()*+,;=%]/gu

/**
 * The API server that recordings are replayed against. Not the light client of src/kube: here raw headers, exact numbers and
 * bodies that are no JSON count, and a request may come from nobody.
 */
export class Target {
  readonly #connection: KubeConnection
  readonly #administrator: HttpAgent | HttpsAgent
  readonly #stranger: HttpAgent | HttpsAgent

  constructor(connection: KubeConnection) {
    this.#connection = connection
    this.#administrator = agentFor(connection, true)
    this.#stranger = agentFor(connection, false)
  }

  close(): void {
    this.#administrator.destroy()
    this.#stranger.destroy()
  }

  async request(request: VectorRequest, signal: AbortSignal): Promise<Answer> {
    return await readAnswer(
      await this.open(request, AbortSignal.any([signal, AbortSignal.timeout(REQUEST_LIMIT_MS)])),
    )
  }

  /** Resolves with the head of the answer. */
  open(request: VectorRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const url = new URL(this.#connection.server + request.path.replace(NEEDS_ENCODING, encodeURIComponent))
    const body = encodeBody(request.body)
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const outgoing = (url.protocol === 'http:' ? httpRequest : httpsRequest)(url, {
      agent: request.auth === undefined ? this.#administrator : this.#stranger,
      method: request.method,
      signal,
      headers: {
        accept: 'application/json',
        'user-agent': 'poolwright-vectors',
        ...this.#authorization(request.auth),
        ...(body !== undefined && {
          'content-type': request.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...lowerCase(request.headers ?? {}),
      },
    })
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.end(body)
    return promise
  }

  #authorization(auth: string | undefined): { authorization?: string } {
    const token = auth === undefined ? this.#connection.token : auth === 'none' ? undefined : auth
    return token === undefined ? {} : { authorization: `Bearer ${token}` }
  }
}

/** Reads the rest of an answer whose head is there. */
export async function readAnswer(message: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: message.statusCode ?? 0, headers: headersOf(message), body: parseBody(message, text) }
}

export function headersOf(message: IncomingMessage): Headers {
  const headers: Record<string, string[]> = {}
  for (let index = 0; index < message.rawHeaders.length; index += 2) {
    const name = (message.rawHeaders[index] ?? '').toLowerCase()
    headers[name] = [...(headers[name] ?? []), message.rawHeaders[index + 1] ?? '']
  }
  return headers
}

function parseBody(message: IncomingMessage, text: string): Json {
  if (!/^application\/([\w.-]+\+)?json/.test(message.headers['content-type'] ?? '')) return text
  try {
    return parseExact(text)
  } catch {
    return text
  }
}

function encodeBody(body: Json | undefined): string | undefined {
  return body === undefined || typeof body === 'string' ? body : printExact(body)
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function agentFor(connection: KubeConnection, asAdministrator: boolean): HttpAgent | HttpsAgent {
  if (connection.server.startsWith('http:')) return new HttpAgent(KEPT)
  return new HttpsAgent({
    ...KEPT,
    ...(connection.certificateAuthority && { ca: connection.certificateAuthority }),
    ...(asAdministrator && connection.clientCertificate && { cert: connection.clientCertificate }),
    ...(asAdministrator && connection.clientKey && { key: connection.clientKey }),
    ...(connection.tlsServerName && { servername: connection.tlsServerName }),
    rejectUnauthorized: !connection.insecure,
  })
}
