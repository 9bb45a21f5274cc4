import { readFileSync } from 'node:fs'
import { execInPod } from '../../src/api/exec.ts'
import type { ClusterRoles, NodeRole } from '../../src/contract/cluster-roles.ts'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { perWorld } from '../per-world.ts'
import type { PoolwrightWorld } from '../world.ts'
import { containerOf, containersOf, isReady, type Pod, showPod } from './pod.ts'
import { type Moment, PodRecord } from './pod-record.ts'
import {
  actorCommand,
  onInstruments,
  type PodRequest,
  type PodTemplate,
  type ProgramSource,
  podTemplate,
} from './pod-template.ts'
import { type LogSource, Transcript } from './transcript.ts'

/** In each namespace that has pods of the suite. */
const PROGRAM = 'poolwright-actor'
/** The pod from which a scenario looks and dials. */
const INSTRUMENT = 'instrument'
const INSTRUMENT_LABEL = 'poolwright.dev/instrument'

/** What an instrument saw; a dial that fails has a code and says why. */
export interface Saw {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** What a scenario counts on to be done in a pod was not. */
class CommandError extends Error {
  override readonly name = 'CommandError'

  constructor(pod: string, does: readonly string[], { exitCode, stdout, stderr }: Saw) {
    super(`${does.join(' ')} in pod ${pod} ended with code ${exitCode}: ${stderr || stdout}`)
  }
}

/** The scenario's pods, in its own namespace. */
export const podsOf = perWorld((world) => new Pods(world))

/** The same, where the scenario had pods of the suite. */
export function knownPodsOf(world: object): Pods | undefined {
  return podsOf.known(world)
}

export class Pods {
  readonly #world: PoolwrightWorld
  readonly #heard = new Map<string, Transcript>()
  #lastCommand: Saw | undefined
  #record: PodRecord | undefined
  #prepared: Promise<void> | undefined
  #instrument: Promise<void> | undefined

  constructor(world: PoolwrightWorld) {
    this.#world = world
  }

  /** Whatever the API says of pods in the scenario's namespace, from the first template on. */
  get record(): PodRecord {
    this.#record ??= new PodRecord(this.#world.kube, this.path, this.#world.signal)
    return this.#record
  }

  get path(): string {
    return collectionPath('v1', 'pods', this.#world.namespace)
  }

  /** A template for a workload of the scenario, once the namespace can run it. */
  async template(request: PodRequest): Promise<PodTemplate> {
    await this.#prepare()
    return podTemplate(this.source, this.#world.labels, request)
  }

  /** Makes a pod; doesn't wait for anything. */
  async create(name: string, request: PodRequest): Promise<void> {
    const template = await this.template(request)
    const metadata = { ...template.metadata, name }
    await this.#world.kube.create(
      this.path,
      { apiVersion: 'v1', kind: 'Pod', ...template, metadata },
      this.#world.signal,
    )
  }

  get(name: string): Promise<Pod> {
    return this.#world.kube.get<Pod>(objectPath(this.path, name), this.#world.signal)
  }

  async delete(name: string, options?: object): Promise<void> {
    await this.#world.kube.delete(objectPath(this.path, name), options, this.#world.signal)
  }

  /** Watches one pod until the predicate answers; it is asked with undefined while there is no such pod. */
  until<R>(
    name: string,
    what: string,
    predicate: (pod: Pod | undefined) => R | undefined | null | false,
    limitMs?: number,
  ): Promise<R> {
    return this.#world.waitFor<Pod, R>({
      for: `pod ${name} ${what}`,
      path: this.path,
      fieldSelector: `metadata.name=${name}`,
      until: ([pod]) => predicate(pod),
      show: showPod,
      ...(limitMs !== undefined && { limitMs }),
    })
  }

  /** Watches the pods with these labels, INSTRUMENT never among them. */
  untilAll<R>(
    labels: Readonly<Record<string, string>>,
    what: string,
    predicate: (pods: readonly Pod[]) => R | undefined | null | false,
    limitMs?: number,
  ): Promise<R> {
    const labelSelector = Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(',')
    return this.#world.waitFor<Pod, R>({
      for: `pods ${labelSelector} ${what}`,
      path: this.path,
      labelSelector,
      until: predicate,
      show: showPod,
      ...(limitMs !== undefined && { limitMs }),
    })
  }

  untilReady(name: string): Promise<Pod> {
    return this.until(name, 'to be ready', (pod) => pod && isReady(pod) && pod)
  }

  /** Waits until its container runs, and answers what is heard of it. */
  async untilRunning(name: string): Promise<Transcript> {
    await this.until(name, 'to run', (pod) => pod && containerOf(pod)?.state?.running)
    return this.listen(name)
  }

  /** Waits until it is ready and its container has said that it begins; hears all of its containers. */
  async untilBegun(name: string): Promise<void> {
    await this.untilReady(name)
    const heard = await this.listen(name)
    const { reaction } = this.#world.limits
    await heard.until(`pod ${name} to begin`, reaction, (lines) =>
      lines.some(({ container, text }) => container === 'main' && text === 'begins'),
    )
  }

  /** Waits until all that the API has said of it satisfies the predicate. */
  untilRecord<R>(
    name: string,
    what: string,
    predicate: (moments: readonly Moment[]) => R | undefined | null | false,
  ): Promise<R> {
    const { limits, signal } = this.#world
    return this.record.until(name, what, predicate, { limitMs: limits.reaction, signal })
  }

  /** What its containers have printed. Empty where there is nothing yet. */
  async logs(name: string, query: { container?: string; previous?: boolean } = {}): Promise<string> {
    const path = objectPath(this.path, name, 'log')
    const { signal } = this.#world
    return this.#world.kube.call<string>({ path, query, signal })
  }

  /** From now on hears what its containers say, from their beginning to their end: logs go with their pod. */
  async listen(name: string): Promise<Transcript> {
    const started = containersOf(await this.get(name)).filter(({ state }) => state && !state.waiting)
    const names = started.map((container) => container.name)
    const transcript = await Transcript.open(this.log(name), names)
    this.#heard.set(name, transcript)
    return transcript
  }

  /** What is heard of it; somebody must have begun to listen. */
  heard(name: string): Transcript {
    const transcript = this.knownHeard(name)
    if (!transcript) throw new Error(`nobody listens to pod ${name}`)
    return transcript
  }

  knownHeard(name: string): Transcript | undefined {
    return this.#heard.get(name)
  }

  /** Waits until it is gone; answers the last that the API said of it. */
  untilGone(name: string): Promise<Pod> {
    const { limits, signal } = this.#world
    return this.record.gone(name, { limitMs: limits.reaction, signal })
  }

  /** Where its log is read. */
  log(name: string, signal = this.#world.signal): LogSource {
    return { kube: this.#world.kube, path: objectPath(this.path, name, 'log'), signal }
  }

  /** Does something in a pod's container, in the actor's words. */
  async act(name: string, does: readonly string[], container = 'main'): Promise<Saw> {
    return this.exec(name, actorCommand(does), container)
  }

  /** The same, where it must succeed. */
  async actWell(name: string, does: readonly string[], container = 'main'): Promise<Saw> {
    const saw = await this.act(name, does, container)
    if (saw.exitCode === 0) return saw
    throw new CommandError(name, does, saw)
  }

  async exec(name: string, command: readonly string[], container = 'main'): Promise<Saw> {
    const { namespace, kubeconfig, signal } = this.#world
    this.#lastCommand = await execInPod({ kubeconfig, namespace, pod: name, container, command, signal })
    return this.#lastCommand
  }

  /** What the last command in a pod answered. */
  get lastCommand(): Saw {
    if (!this.#lastCommand) throw new Error('no command has run in a pod')
    return this.#lastCommand
  }

  /** Does something from inside the cluster, on a node that no drill touches. */
  async see(does: readonly string[]): Promise<Saw> {
    this.#instrument ??= this.#startInstrument()
    await this.#instrument
    return this.act(INSTRUMENT, does)
  }

  /** The name of the node that plays this role. */
  node(role: NodeRole, at = 0): string {
    const name = this.roles.nodes[role][at]
    if (name === undefined)
      throw new Error(`this cluster has no ${role} node: the scenario needs @needs-test-nodes`)
    return name
  }

  get roles(): ClusterRoles {
    const { roles } = this.#world.run
    if (!roles) throw new Error('this cluster runs no pods: the scenario needs @needs-running-pods')
    return roles
  }

  get source(): ProgramSource {
    const { workloadImage } = this.roles
    if (workloadImage === undefined)
      throw new Error('no node has the workload image: the scenario needs @needs-workload-image')
    return { image: workloadImage, configMap: PROGRAM }
  }

  async #startInstrument(): Promise<void> {
    const { instruments } = this.roles
    if (!instruments)
      throw new Error('there is no node for instruments: the scenario needs @needs-workload-image')
    const labels = { [INSTRUMENT_LABEL]: '' }
    await this.create(INSTRUMENT, { does: ['stay:'], labels, ...onInstruments(instruments) })
    await this.untilReady(INSTRUMENT)
  }

  /** A namespace takes no pod before its service account is there; a controller makes it. */
  #prepare(): Promise<void> {
    this.#prepared ??= this.#makeReady()
    // It begins before there is anything to see.
    void this.record
    return this.#prepared
  }

  async #makeReady(): Promise<void> {
    const { kube, namespace, labels, signal } = this.#world
    const code = readFileSync(new URL('actor.mjs', import.meta.url), 'utf8')
    const program = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: PROGRAM, labels },
      immutable: true,
      data: { 'actor.mjs': code },
    }
    await kube.create(collectionPath('v1', 'configmaps', namespace), program, signal)
    await this.#world.waitFor<KubernetesObject, true>({
      for: `the default service account of namespace ${namespace}`,
      path: collectionPath('v1', 'serviceaccounts', namespace),
      fieldSelector: 'metadata.name=default',
      until: (accounts) => accounts.length > 0 || undefined,
    })
  }
}
