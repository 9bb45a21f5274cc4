import { fileURLToPath } from 'node:url'
import { execaNode, type Message } from 'execa'
import type { ConnectCommand, RunnerAnswer } from './implementation-runner.ts'
import type { Operation, OutcomeOf, RequestOf } from './outcomes.ts'
import type { Performer } from './performer.ts'

const RUNNER = fileURLToPath(new URL('./implementation-runner.ts', import.meta.url))

/** The implementation in a process of its own, so that several can truly contend, or one be killed half-way. */
export class ImplementationProcess implements Performer {
  readonly name: string
  readonly #child
  readonly #waiting = new Map<number, PromiseWithResolvers<RunnerAnswer>>()
  #calls = 0

  constructor(name: string, signal: AbortSignal) {
    this.name = name
    this.#child = execaNode(RUNNER, {
      cancelSignal: signal,
      forceKillAfterDelay: 500,
      reject: false,
      ipc: true,
      // What it prints belongs to no report: only messages count, and its last words where it breaks.
      stdio: ['ignore', 'ignore', 'pipe'],
      maxBuffer: 100_000,
    })
    void this.#listen().catch(() => undefined)
    void this.#failWhatItLeaves()
  }

  /** Loads the implementation and connects it; what it answers from then on is warm. */
  async connect(command: Omit<ConnectCommand, 'id' | 'kind'>): Promise<void> {
    await this.#ask({ kind: 'connect', ...command })
  }

  async perform<Op extends Operation>(operation: Op, request: RequestOf<Op>): Promise<OutcomeOf<Op>> {
    return (await this.#ask({ kind: 'perform', operation, request })) as OutcomeOf<Op>
  }

  /** Kills it in the middle of whatever it does, as a crash would. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#child
  }

  /** Makes sure that it has ended. */
  async end(): Promise<void> {
    this.#child.kill()
    await this.#child
  }

  async #listen(): Promise<void> {
    for await (const message of this.#child.getEachMessage()) {
      const answer = message as unknown as RunnerAnswer
      this.#waiting.get(answer.id)?.resolve(answer)
      this.#waiting.delete(answer.id)
    }
  }

  async #failWhatItLeaves(): Promise<void> {
    const { stderr, signal, exitCode } = await this.#child
    const how = signal ? `by ${signal}` : `with code ${exitCode}`
    const last = stderr.slice(-2000)
    const ended = new Error(`process ${this.name} ended ${how} while it was still asked: ${last}`)
    for (const { reject } of this.#waiting.values()) reject(ended)
    this.#waiting.clear()
  }

  async #ask(command: object): Promise<unknown> {
    const id = ++this.#calls
    const answer = Promise.withResolvers<RunnerAnswer>()
    this.#waiting.set(id, answer)
    this.#child.sendMessage({ id, ...command } as unknown as Message<'advanced'>).catch(answer.reject)
    const { result, failure } = await answer.promise
    if (failure !== undefined) throw new Error(`process ${this.name}: ${failure}`)
    return result
  }
}
