import type { KubeObject } from '../registry/kube-object.ts'
import type { Column } from '../registry/resource.ts'

/** Every table begins with this column; the text is the one clients show for it. */
export const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  cell: (object) => object.metadata.name ?? '',
}

export const AGE: Column = {
  name: 'Age',
  type: 'string',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  cell: (object) => age(object.metadata.creationTimestamp),
}

/** How long ago something was, as short as kubectl shows it. */
export function age(timestamp: string | undefined, now = Date.now()): string {
  if (timestamp === undefined) return '<unknown>'
  return humanDuration(Math.max(0, Math.floor((now - Date.parse(timestamp)) / 1000)))
}

/** Seconds as k8s.io/apimachinery/pkg/util/duration shows them. */
function humanDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(seconds / 3600)
  const days = Math.floor(hours / 24)
  const both = (large: string, rest: number, unit: string): string =>
    rest === 0 ? large : `${large}${rest}${unit}`
  if (seconds < 120) return `${seconds}s`
  if (minutes < 10) return both(`${minutes}m`, seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  if (hours < 8) return both(`${hours}h`, minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  if (hours < 192) return both(`${days}d`, hours % 24, 'h')
  if (days < 730) return `${days}d`
  const years = Math.floor(days / 365)
  return years < 8 ? both(`${years}y`, days % 365, 'd') : `${years}y`
}

/** How many keys an object has under a field. */
export function count(object: KubeObject, ...fields: readonly string[]): number {
  return fields.reduce((sum, field) => sum + Object.keys((object[field] ?? {}) as object).length, 0)
}
