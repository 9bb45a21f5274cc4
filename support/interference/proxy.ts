import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { answerStatus, breakConnection, endToEnd, streamAnswer } from './answers.ts'
import { type Exchange, Journal } from './journal.ts'
import { KubeconfigFolder } from './kubeconfig-file.ts'
import { requestInfo } from './request-info.ts'
import { resourceVersionIn } from './resource-version.ts'
import { type Action, ActiveRule, type Rule, WRITES } from './rule.ts'
import { forward, type Upstream } from './upstream.ts'

/**
 * Stands between an implementation and the API, so that what happens once in ten thousand runs happens every
 * time: the implementation's kubeconfig leads here, on every rung and for every implementation.
 */
export class InterferenceProxy {
  readonly journal = new Journal()
  /** What went wrong in the interference itself; a scenario with any of these proves nothing. */
  readonly failures: unknown[] = []
  readonly #rules: ActiveRule[] = []
  readonly #clients = new Map<string, string>()
  readonly #folder = new KubeconfigFolder()
  readonly #closed = new AbortController()
  readonly #upstream: Upstream
  readonly #server: Server

  private constructor(upstream: Upstream) {
    this.#upstream = upstream
    this.#server = createServer({ noDelay: true }, (request, response) => void this.#serve(request, response))
  }

  /** Listens on loopback, on a port of its own. */
  static async start(upstream: Upstream): Promise<InterferenceProxy> {
    const proxy = new InterferenceProxy(upstream)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    proxy.#server.once('error', reject).listen(0, '127.0.0.1', resolve)
    await promise
    return proxy
  }

  /** Path of a kubeconfig whose requests the journal shows under this client's name. */
  kubeconfig(client: string): string {
    const token = randomBytes(24).toString('base64url')
    this.#clients.set(`Bearer ${token}`, client)
    const { port } = this.#server.address() as AddressInfo
    return this.#folder.write(`${this.#clients.size}`, `http://127.0.0.1:${port}`, token)
  }

  /**
   * From now on, until the function it answers is called; of several rules that touch one request, all act in the
   * order they were given.
   */
  interfere(rule: Rule): () => void {
    const active = new ActiveRule(rule)
    this.#rules.push(active)
    return () => {
      this.#rules.splice(this.#rules.indexOf(active), 1)
    }
  }

  /** Ends every connection at once and removes the kubeconfigs. Safe to repeat. */
  async close(): Promise<void> {
    this.#closed.abort(new Error('the proxy is closed'))
    this.#folder.remove()
    if (!this.#server.listening) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    this.#server.closeAllConnections()
    await promise
  }

  /** Whether it is sure of every write what became of it: then none can arrive any more once this is closed. */
  get isSettled(): boolean {
    return this.journal.exchanges.every(
      ({ verb, code }) => !WRITES.includes(verb) || (code !== undefined && code < 500),
    )
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const client = this.#clients.get(request.headers.authorization ?? '')
    if (client === undefined) return answerStatus(response, 401)
    let exchange: Exchange | undefined
    try {
      const body = await buffer(request)
      exchange = this.#begin(client, request, body)
      await this.#pass(exchange, request, body, response)
    } catch (error) {
      // The client is told nothing it could mistake for the API's word: its connection breaks.
      if (!this.#closed.signal.aborted && !response.destroyed) this.failures.push(error)
      if (exchange && !exchange.lost) exchange.lost = response.destroyed ? 'client left' : 'broken off'
      response.destroy()
    } finally {
      if (exchange) exchange.until = this.journal.now()
    }
  }

  #begin(client: string, request: IncomingMessage, body: Buffer): Exchange {
    const info = requestInfo(request.method ?? '', request.url ?? '/')
    const versionSent = body.length ? resourceVersionIn(body) : undefined
    return this.journal.begin({
      ...info,
      client,
      path: (request.url ?? '/').replace(/\?.*/, ''),
      ...(versionSent !== undefined && { versionSent }),
    })
  }

  async #pass(
    exchange: Exchange,
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    let withhold: (Action & { kind: 'drop-answer' | 'keep-answer' }) | undefined
    for (const action of this.#actionsOn(exchange)) {
      if (action.kind === 'answer') return this.#play(exchange, action, response)
      if (action.kind === 'reset') return breakConnection(exchange, 'reset', request)
      if (action.kind === 'late') return this.#passLate(exchange, action, request, body, response)
      if (action.kind === 'before') await this.#meanwhile(action.run(exchange), response)
      else withhold = action
    }
    // Who left while the request was under way never sent it.
    if (response.destroyed) {
      exchange.lost = 'client left'
      return
    }
    const answer = await forward(this.#upstream, request, body, this.#closed.signal)
    exchange.code = answer.statusCode ?? 0
    if (exchange.verb === 'watch' && !withhold) return streamAnswer(exchange, answer, response)
    const content = await buffer(answer)
    const version = resourceVersionIn(content)
    if (version !== undefined) exchange.versionAnswered = version
    if (withhold?.kind === 'drop-answer') return breakConnection(exchange, 'answer dropped', request)
    if (withhold?.kind === 'keep-answer') {
      exchange.lost = 'answer dropped'
      return withhold.landed()
    }
    if (response.destroyed) exchange.lost = 'client left'
    response.writeHead(exchange.code, endToEnd(answer, content.length)).end(content)
  }

  /** Whoever sent it may be long gone when it arrives. */
  async #passLate(
    exchange: Exchange,
    action: Action & { kind: 'late' },
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    await this.#meanwhile(action.sent(), response)
    breakConnection(exchange, 'answer dropped', request)
    await Promise.race([action.until, once(this.#closed.signal, 'abort')])
    try {
      const answer = await forward(this.#upstream, request, body, this.#closed.signal)
      exchange.code = answer.statusCode ?? 0
      await buffer(answer)
      action.arrived(exchange.code)
    } catch (error) {
      action.arrived(new Error('the late write was not answered', { cause: error }))
    }
  }

  /** Every rule counts the request, even where an earlier one will end it. */
  #actionsOn(exchange: Exchange): Action[] {
    const active = this.#rules.filter((candidate) => candidate.takes(exchange))
    exchange.interference.push(...active.map(({ rule }) => rule.name))
    return active.map(({ rule }) => rule.action)
  }

  #play(exchange: Exchange, action: Action & { kind: 'answer' }, response: ServerResponse): void {
    exchange.code = action.code
    answerStatus(response, action.code, action.retryAfterSeconds)
  }

  /** Another party acts while the request waits; the wait ends early when the client leaves or the proxy closes. */
  async #meanwhile(acting: Promise<unknown>, response: ServerResponse): Promise<void> {
    const ended = Promise.withResolvers<void>()
    response.once('close', ended.resolve)
    this.#closed.signal.addEventListener('abort', () => ended.resolve(), { once: true })
    if (response.destroyed || this.#closed.signal.aborted) ended.resolve()
    let waiting = true
    acting.catch((error) => {
      // While it is waited for, its failure is the request's; later it is still one, unless all is over.
      if (!waiting && !this.#closed.signal.aborted) this.failures.push(error)
    })
    await Promise.race([acting, ended.promise])
    waiting = false
    this.#closed.signal.throwIfAborted()
  }
}
