import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { BackOff } from '../../src/kube/back-off.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listWatch } from '../../src/kube/list-watch.ts'
import type { Log } from './log.ts'

export interface ControllerOptions<Name extends string> {
  readonly client: KubeClient
  /** The collections it looks at. */
  readonly watches: Readonly<Record<Name, { readonly path: string; readonly labelSelector?: string }>>
  /** Brings the cluster closer to what is wanted; called again after every change, and every `resyncMs`. */
  readonly reconcile: (seen: Seen<Name>, signal: AbortSignal) => Promise<void>
  readonly resyncMs: number
  readonly log: Log
  readonly signal: AbortSignal
}

/** All objects of the watched collections, as last seen. */
export type Seen<Name extends string> = Readonly<Record<Name, readonly KubernetesObject[]>>

/**
 * A level-triggered control loop: watches, and reconciles the whole state, never a single event. Failures are
 * logged and tried again; it ends with the signal only. `ready` resolves after the first reconcile that succeeded.
 */
export function runController<Name extends string>(
  options: ControllerOptions<Name>,
): { ready: Promise<void>; ended: Promise<void> } {
  const caches = new Map<Name, Map<string, KubernetesObject>>()
  const names = Object.keys(options.watches) as Name[]
  const ready = Promise.withResolvers<void>()
  let wake = Promise.withResolvers<void>()
  const changed = (): void => wake.resolve()

  const follow = async (name: Name): Promise<void> => {
    const onTrouble = (error: unknown): void =>
      options.log('warn', 'watch in trouble', { name, error: String(error) })
    const { client, signal } = options
    for await (const item of listWatch(client, { ...options.watches[name], signal, onTrouble })) {
      if (item.type === 'LISTED')
        caches.set(name, new Map(item.objects.map((object) => [key(object), object])))
      else if (item.type === 'DELETED') caches.get(name)?.delete(key(item.object))
      else if ('object' in item) caches.get(name)?.set(key(item.object), item.object)
      changed()
    }
  }

  const work = async (): Promise<void> => {
    const backOff = new BackOff(20, 2_000)
    while (!options.signal.aborted) {
      await wake.promise
      wake = Promise.withResolvers()
      if (options.signal.aborted || names.some((name) => !caches.has(name))) continue
      try {
        const seen = Object.fromEntries(names.map((name) => [name, [...(caches.get(name)?.values() ?? [])]]))
        await options.reconcile(seen as unknown as Seen<Name>, options.signal)
        backOff.reset()
        ready.resolve()
      } catch (error) {
        if (options.signal.aborted) return
        options.log('warn', 'reconcile failed, trying again', { error: String(error) })
        // Not waited for here: a change of another object is dealt with at once meanwhile.
        void backOff.wait(backOff.next(), options.signal).then(changed)
      }
    }
  }

  options.signal.addEventListener('abort', changed, { once: true })
  const resync = setInterval(changed, options.resyncMs)
  const ended = Promise.all([work(), ...names.map(follow)]).then(() => clearInterval(resync))
  return { ready: ready.promise, ended }
}

function key(object: KubernetesObject): string {
  return `${object.metadata?.namespace ?? ''}/${object.metadata?.name ?? ''}`
}
