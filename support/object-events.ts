import type { KubernetesObject } from '../src/contract/kubernetes.ts'
import { collectionPath } from '../src/kube/paths.ts'
import type { PoolwrightWorld } from './world.ts'

/** What the cluster says of an object of the scenario's namespace. */
export interface ObjectEvent extends KubernetesObject {
  /** `Normal`, `Warning`. */
  type?: string
  reason?: string
  message?: string
}

/** Waits until the cluster has said something of this object that the predicate takes; answers the first such event. */
export function untilEvent(
  world: PoolwrightWorld,
  { kind, name }: { readonly kind: string; readonly name: string },
  what: string,
  takes: (event: ObjectEvent) => boolean,
): Promise<ObjectEvent> {
  return world.waitFor<ObjectEvent, ObjectEvent>({
    for: `an event of ${kind} ${name} that says ${what}`,
    path: collectionPath('v1', 'events', world.namespace),
    fieldSelector: `involvedObject.kind=${kind},involvedObject.name=${name}`,
    until: (events) => events.find(takes),
    show: ({ type, reason, message }) => `${type} ${reason}: ${message}`,
  })
}
