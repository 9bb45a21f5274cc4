import { Agent, request as send } from 'node:https'
import { parseExact } from './json/exact.ts'
import type { RunningServer } from './server.ts'

export interface Answered {
  readonly code: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
  readonly body: Record<string, unknown>
}

export interface Sent {
  readonly method?: string
  readonly body?: unknown
  /** Sent as it is. */
  readonly text?: string
  readonly contentType?: string
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A bearer token; null sends none. The administrator's by default. */
  readonly token?: string | null
}

/** Asks a server as a test does. */
export class TestClient {
  readonly agent: Agent
  readonly #server: RunningServer

  constructor(server: RunningServer) {
    this.#server = server
    this.agent = new Agent({ keepAlive: true, ca: server.authority })
  }

  ask(path: string, sent: Sent = {}): Promise<Answered> {
    const text = sent.text ?? (sent.body === undefined ? '' : JSON.stringify(sent.body))
    const token = sent.token === undefined ? this.#server.token : sent.token
    return new Promise((resolve, reject) => {
      const request = send(
        {
          host: '127.0.0.1',
          port: this.#server.port,
          path,
          method: sent.method ?? 'GET',
          agent: this.agent,
          headers: {
            'Content-Length': Buffer.byteLength(text),
            ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
            ...(text === '' ? {} : { 'Content-Type': sent.contentType ?? 'application/json' }),
            ...(sent.accept === undefined ? {} : { Accept: sent.accept }),
            ...sent.headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const received = Buffer.concat(chunks).toString()
            const isJson = (response.headers['content-type'] ?? '').startsWith('application/json')
            const body = isJson && received !== '' && !received.includes('}\n{') ? parseExact(received) : {}
            resolve({
              code: response.statusCode ?? 0,
              headers: response.headers,
              text: received,
              body: body as Record<string, unknown>,
            })
          })
        },
      )
      request.on('error', reject)
      request.end(text)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}
