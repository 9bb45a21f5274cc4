import { PoolwrightError } from '../contract/errors.ts'
import type { Change } from './change.ts'
import type { PoolView } from './pool-view.ts'
import type { PoolPlace } from './refusal.ts'

/** core/v1 validation: the values of a ConfigMap's data and binaryData, without their keys. */
const LARGEST_CONFIG_MAP_BYTES = 1024 * 1024

/** Throws PoolFull when a change would take the ConfigMap beyond what Kubernetes stores. */
export function demandRoom(place: PoolPlace, view: PoolView, change: Change): void {
  const grows = Buffer.byteLength(change.newText ?? '') - Buffer.byteLength(change.oldText ?? '')
  if (grows <= 0) return
  const size = view.size()
  if (size + grows <= LARGEST_CONFIG_MAP_BYTES) return
  throw new PoolwrightError(
    'PoolFull',
    `ConfigMap ${place.namespace}/${place.configMap} holds ${size} bytes; entry ${change.address} needs ${grows} more, ` +
      `beyond the limit of ${LARGEST_CONFIG_MAP_BYTES}. Nothing was written.`,
  )
}
