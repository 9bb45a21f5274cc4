import {
  type Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** The API server behind the proxy, and how to be let in. The agent keeps connections over many scenarios. */
export interface Upstream {
  /** `https://127.0.0.1:6443`. */
  readonly server: string
  readonly agent: HttpAgent | HttpsAgent
  /** Credentials for one request; empty where the agent's certificate is enough. */
  headers(): Promise<Readonly<Record<string, string>>>
}

/** Sends a request on as it came, with the upstream's credentials in place of the client's. */
export async function forward(
  upstream: Upstream,
  request: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = { ...passedOn(request), ...(await upstream.headers()) }
  if (body.length) headers['content-length'] = body.length
  const url = new URL(upstream.server)
  const dial = url.protocol === 'http:' ? httpRequest : httpsRequest
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = dial({
    agent: upstream.agent,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: url.pathname.replace(/\/$/, '') + request.url,
    method: request.method,
    headers,
    signal,
  })
  outgoing.on('response', resolve).on('error', reject).end(body)
  return promise
}

/** Hop-by-hop headers stay on their hop; compression is off because the journal reads versions in passing. */
function passedOn(request: IncomingMessage): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ...request.headers }
  for (const name of HOP_BY_HOP) delete headers[name]
  return { ...headers, 'accept-encoding': 'identity' }
}

const HOP_BY_HOP = [
  'authorization',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]
