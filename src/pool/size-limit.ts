import { PoolwrightError } from '../contract/errors.ts'
import type { Change } from './change.ts'
import type { PoolView } from './pool-view.ts'
import type { PoolPlace } from './refusal.ts'

/** core/v1 validation: the values of a ConfigMap's data and binaryData, without their keys. */
const LARGEST_CONFIG_MAP_BYTES = 1024 * 1024

/** Whether the ConfigMap has room for what a change makes it grow by. */
export function hasRoom(view: PoolView, change: Change): boolean {
  const grows = growth(change)
  return grows <= 0 || view.size() + grows <= LARGEST_CONFIG_MAP_BYTES
}

/** Throws PoolFull when a change would take the ConfigMap beyond what Kubernetes stores. */
export function demandRoom(place: PoolPlace, view: PoolView, change: Change): void {
  if (hasRoom(view, change)) return
  throw new PoolwrightError(
    'PoolFull',
    `ConfigMap ${place.namespace}/${place.configMap} holds ${view.size()} bytes; entry ${change.address} needs ` +
      `${growth(change)} more, beyond the limit of ${LARGEST_CONFIG_MAP_BYTES}. Nothing was written.`,
  )
}

function growth({ newText, oldText }: Change): number {
  return Buffer.byteLength(newText ?? '') - Buffer.byteLength(oldText ?? '')
}
