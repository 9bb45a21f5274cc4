import { type IWorldOptions, World } from '@cucumber/cucumber'
import type { Limits } from '../clusters/provider.ts'
import type { Options } from '../src/contract/implementation.ts'
import type { ConfigMap, KubernetesObject } from '../src/contract/kubernetes.ts'
import { POOL_CONFIG_MAP } from '../src/contract/names.ts'
import type { LockStrategy, RetryPolicy } from '../src/contract/pool.ts'
import type { KubeClient } from '../src/kube/client.ts'
import { type Wait, waitFor } from '../src/kube/wait-for.ts'
import { runSignal } from './abort.ts'
import { redact } from './evidence/redact.ts'
import { ImplementationProcess } from './implementation-process.ts'
import type { Exchange } from './interference/journal.ts'
import { InterferenceProxy } from './interference/proxy.ts'
import type { Verb } from './interference/request-info.ts'
import { type Operation, type OutcomeOf, Outcomes, type RequestOf } from './outcomes.ts'
import { type Performer, performOn } from './performer.ts'
import { PoolConfigMap, type PoolSite } from './pool-config-map.ts'
import type { RunContext } from './run-context.ts'
import type { ClusterChanges } from './safety/changes.ts'
import { ScenarioSafety } from './safety/scenario-safety.ts'
import { scenarioLabels, uniqueName } from './scenario-namespace.ts'
import { StepClock } from './step-clock.ts'
import type { Feeds } from './windows-feed.ts'
import type { Worker } from './worker.ts'

/** Delays that prove nothing are kept short; a scenario about delays says so itself. */
const BRIEF_RETRY: RetryPolicy = { baseDelayMs: 1 }

/**
 * What one scenario has to itself: a namespace, a proxy in front of the API, a connection of the implementation
 * that leads through it, and a signal that ends every wait when the scenario ends.
 */
export class PoolwrightWorld extends World {
  /** Aborts when the run is interrupted, a step takes too long, or the scenario is over. */
  readonly signal: AbortSignal
  readonly outcomes = new Outcomes()
  readonly stepClock = new StepClock((reason) => this.abort(reason))
  /** Unique to this attempt of this scenario; also the value of its label. */
  readonly scenario = uniqueName()
  /** Undefined leaves the policy to the implementation's defaults. */
  retry: RetryPolicy | undefined = BRIEF_RETRY
  /** Undefined leaves the choice of lock to the implementation. */
  strategy: LockStrategy | undefined
  /** Processes of the implementation that the scenario started; they end with it. */
  readonly processes: ImplementationProcess[] = []
  /** Address of the entry that a step made malformed. */
  malformed: string | undefined
  /** The pool as it was when the first operation began; undefined where there was none, or no operation yet. */
  before: ConfigMap | undefined
  readonly #controller = new AbortController()
  readonly #cleanUps: ((signal: AbortSignal) => Promise<unknown>)[] = []
  #worker: Worker | undefined
  #proxy: InterferenceProxy | undefined
  #safety: ScenarioSafety | undefined
  #connected: Promise<Performer> | undefined
  #remembered: Promise<void> | undefined
  #namespace: string | undefined
  #site: PoolSite | undefined

  constructor(options: IWorldOptions) {
    super({ ...options, attach: redacting(options.attach), log: (text) => options.log(redact(text)) })
    this.signal = AbortSignal.any([runSignal, this.#controller.signal])
  }

  /** The scratch namespace, which exists when the first step runs, and is nobody else's meanwhile. */
  get namespace(): string {
    if (this.#namespace === undefined) throw new Error('the scenario has not been opened')
    return this.#namespace
  }

  /** Where the implementation looks for the pool; a step may point it elsewhere before the first operation. */
  get site(): PoolSite {
    return this.#site ?? { namespace: this.namespace, configMap: POOL_CONFIG_MAP }
  }

  set site(site: PoolSite) {
    this.#site = site
  }

  /** Straight to the API, for what the suite itself arranges and observes. */
  get kube(): KubeClient {
    return this.#opened.kube
  }

  /** What happens in collections that all scenarios of the worker share; evidence, never a verdict. */
  get feeds(): Feeds {
    return this.#opened.feeds
  }

  /** In front of the API, for the implementation alone. */
  get proxy(): InterferenceProxy {
    if (!this.#proxy) throw new Error('the scenario has not been opened')
    return this.#proxy
  }

  /**
   * What the scenario may do to nodes and cluster-scoped objects, each change journalled and taken back at its end. Works in
   * steps whose definition says that they change the cluster, in scenarios that are tagged so.
   */
  get changes(): ClusterChanges {
    return this.safety.changes
  }

  get safety(): ScenarioSafety {
    if (!this.#safety) throw new Error('the scenario has not been opened')
    return this.#safety
  }

  get limits(): Limits {
    return this.#opened.run.limits
  }

  get run(): RunContext {
    return this.#opened.run
  }

  /** Path of the worker's kubeconfig: straight to the API. */
  get kubeconfig(): string {
    return this.#opened.kubeconfig
  }

  /** Labels for everything the scenario creates. */
  get labels(): Record<string, string> {
    return scenarioLabels(this.#opened.run.runId, this.scenario)
  }

  /** The pool's ConfigMap at the site, past the implementation. */
  get poolConfigMap(): PoolConfigMap {
    return new PoolConfigMap(this.kube, this.site, this.signal, this.labels)
  }

  async open(worker: Worker): Promise<void> {
    this.#worker = worker
    this.#safety = new ScenarioSafety({
      kube: worker.kube,
      holder: worker.holder,
      limits: worker.run.limits,
      nodes: worker.nodes,
      scenario: this.scenario,
      labels: this.labels,
      signal: this.signal,
      abort: (reason) => this.abort(reason),
      say: (line) => console.log(line),
    })
    this.#namespace = await worker.namespaces.take(this.signal)
    this.#proxy = await InterferenceProxy.start(worker.upstream)
  }

  /**
   * Asks for an operation, of the implementation in this process unless told otherwise. Its error is an outcome
   * for a step to judge, never thrown.
   */
  async perform<Op extends Operation>(
    operation: Op,
    request: RequestOf<Op>,
    performer?: Performer,
  ): Promise<OutcomeOf<Op>> {
    await this.#rememberBefore()
    const by = performer ?? (await this.implementation())
    const asked = request && { ...this.#options(), ...request }
    const journalMark = this.proxy.journal.exchanges.length
    const startedAt = Date.now()
    const outcome = await by.perform(operation, asked)
    const tookMs = Date.now() - startedAt
    this.outcomes.record({ operation, request, outcome, client: by.name, startedAt, tookMs, journalMark })
    return outcome
  }

  /** The implementation in this process, connected through the proxy on first use. */
  implementation(): Promise<Performer> {
    this.#connected ??= this.connect('implementation', this.signal)
    return this.#connected
  }

  /** A connection of its own, under a name that the journal shows, with a signal of its own. */
  async connect(client: string, signal: AbortSignal): Promise<Performer> {
    const kubeconfig = this.proxy.kubeconfig(client)
    const pool = await this.#opened.implementation.connect({ kubeconfig, signal, ...this.site })
    return performOn(client, pool)
  }

  /** Starts the implementation in a process of its own, connected; it ends with the scenario at the latest. */
  async startProcess(name: string): Promise<ImplementationProcess> {
    const process = new ImplementationProcess(name, this.signal)
    this.processes.push(process)
    await process.connect({
      implementation: this.#opened.run.implementation,
      kubeconfig: this.proxy.kubeconfig(name),
      ...this.site,
    })
    return process
  }

  /** Watches until the predicate holds, within the rung's reaction limit unless the scenario needs another. */
  waitFor<T extends KubernetesObject, R>(
    wait: Omit<Wait<T, R>, 'signal' | 'limitMs'> & { readonly limitMs?: number },
  ): Promise<R> {
    return waitFor<T, R>(this.kube, { limitMs: this.limits.reaction, ...wait, signal: this.signal })
  }

  /** What went over the wire to the pool's ConfigMap during the last operation: attempts are counted here. */
  wire(verbs: readonly Verb[]): Exchange[] {
    const { journalMark } = this.outcomes.last()
    return this.proxy.journal.exchanges
      .slice(journalMark)
      .filter(
        ({ resource, verb, name }) =>
          resource === 'configmaps' &&
          verbs.includes(verb) &&
          (name ?? this.site.configMap) === this.site.configMap,
      )
  }

  /** False where the scenario was skipped before it began. */
  get isOpen(): boolean {
    return this.#proxy !== undefined
  }

  /**
   * Throws when an operation failed and no step spoke about it, or when the interference itself went wrong. Reports quote
   * the first line alone, so that one says what happened.
   */
  assertNothingUnnoticed(): void {
    const [failure] = this.proxy.failures
    if (failure) throw new Error(`the interference itself failed: ${messageOf(failure)}`, { cause: failure })
    const unnoticed = this.outcomes.unasserted().map(({ operation, outcome: { error } }) => {
      return `${operation} failed, and no step asserted it: ${error?.code}: ${error?.message}`
    })
    if (unnoticed.length > 0) throw new Error(unnoticed.join('\n'))
  }

  /** Runs when the scenario is over, last deferred first, whatever its verdict; its own signal bounds it. */
  defer(cleanUp: (signal: AbortSignal) => Promise<unknown>): void {
    this.#cleanUps.push(cleanUp)
  }

  /** Ends whatever still runs on the scenario's behalf. */
  abort(reason: string): void {
    this.#controller.abort(new Error(reason))
  }

  /**
   * Ends and removes all that the scenario has outside its namespace, what it changed of the cluster first; throws the first
   * failure, after trying all.
   */
  async close(): Promise<void> {
    const failures: unknown[] = []
    await this.#undoChanges().catch((error) => failures.push(error))
    for (const cleanUp of this.#cleanUps.reverse())
      await cleanUp(AbortSignal.timeout(this.limits.step)).catch((error) => failures.push(error))
    this.abort('the scenario is over')
    await Promise.all(this.processes.map((process) => process.end()))
    await this.#proxy?.close()
    if (failures.length) throw failures[0]
  }

  async #undoChanges(): Promise<void> {
    const made = this.safety.changes.pending
    const left = await this.safety.undo()
    if (made.length + left.length === 0) return
    const told = [
      ...made.map((change) => `taken back: ${change}`),
      ...left.map((what) => `left alone: ${what}`),
    ]
    this.attach(told.join('\n'), { mediaType: 'text/plain', fileName: 'changes of the cluster.txt' })
  }

  #options(): Options {
    return { ...(this.retry && { retry: this.retry }), ...(this.strategy && { strategy: this.strategy }) }
  }

  #rememberBefore(): Promise<void> {
    this.#remembered ??= this.poolConfigMap.read().then((configMap) => {
      this.before = configMap
    })
    return this.#remembered
  }

  get #opened(): Worker {
    if (!this.#worker) throw new Error('the scenario has not been opened')
    return this.#worker
  }
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}

/** Whatever a step attaches as text goes through the redaction, whether or not its author thought of it. */
function redacting(attach: ICreateAttachment): ICreateAttachment {
  const guarded = (data: unknown, ...more: unknown[]): unknown =>
    (attach as (...all: unknown[]) => unknown)(typeof data === 'string' ? redact(data) : data, ...more)
  return guarded as ICreateAttachment
}

type ICreateAttachment = IWorldOptions['attach']
