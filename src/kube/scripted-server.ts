import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KubeClient } from './client.ts'

export interface ScriptedServer {
  readonly client: KubeClient
  readonly server: string
  /** Method, path and query of every request, in order. */
  readonly requests: {
    method: string
    path: string
    query: URLSearchParams
    headers: IncomingMessage['headers']
  }[]
  stop(): Promise<void>
}

/** Plays an API server for the tests of this folder: the n-th request is answered by the n-th handler, later ones by the last. */
export async function scriptedServer(
  ...handlers: ((request: IncomingMessage, response: ServerResponse) => void)[]
): Promise<ScriptedServer> {
  const requests: ScriptedServer['requests'] = []
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const handler = handlers[Math.min(requests.length, handlers.length - 1)]
    requests.push({
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
    })
    handler?.(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const client = new KubeClient({ server, insecure: false, namespace: 'default' })
  return {
    client,
    server,
    requests,
    async stop() {
      client.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** Answers with JSON. */
export function json(code: number, body: unknown, headers: Record<string, string> = {}) {
  return (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

/** Answers with a failure Status. */
export function failure(code: number, reason: string, details: Record<string, unknown> = {}) {
  const message = `${reason} for the test`
  return json(code, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason,
    message,
    code,
    details,
  })
}

/** Answers with watch events; then 'end' finishes the answer, 'open' leaves it, 'break' cuts it within a line. */
export function events(list: unknown[], then: 'end' | 'open' | 'break') {
  return (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    for (const event of list) response.write(`${JSON.stringify(event)}\n`)
    if (then === 'end') response.end()
    if (then === 'break') response.write('{"type":"ADDED","obj', () => response.destroy())
  }
}

/** A ConfigMap of this name and version, as items of lists and events. */
export function configMap(name: string, resourceVersion: string): Record<string, unknown> {
  return { metadata: { name, namespace: 'default', resourceVersion } }
}

/** A list of such objects. */
export function listOf(resourceVersion: string, ...items: unknown[]): Record<string, unknown> {
  return { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion }, items }
}
