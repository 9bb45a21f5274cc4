import type { Registry } from '../registry/registry.ts'

interface Group {
  readonly name: string
  readonly versions: readonly GroupVersion[]
  readonly preferredVersion: GroupVersion
}

interface GroupVersion {
  readonly groupVersion: string
  readonly version: string
}

/** The groups that are served, in the order of the table; the one without a name is not among them. */
export function groups(registry: Registry): Group[] {
  const names = new Set(registry.resources().map((row) => row.group))
  return [...names].flatMap((name) => groupOf(registry, name) ?? [])
}

export function groupOf(registry: Registry, name: string): Group | undefined {
  if (name === '') return undefined
  const versions = versionsOf(registry, name).map((version) => ({
    groupVersion: `${name}/${version}`,
    version,
  }))
  const [preferredVersion] = versions
  return preferredVersion === undefined ? undefined : { name, versions, preferredVersion }
}

/** The versions of a group, the most stable and newest first: v2, v1, v2beta1, v1alpha1, anything else. */
export function versionsOf(registry: Registry, group: string): string[] {
  const versions = new Set(
    registry
      .resources()
      .filter((row) => row.group === group)
      .map((row) => row.version),
  )
  return [...versions].sort(byPriority)
}

function byPriority(left: string, right: string): number {
  const [one, other] = [rank(left), rank(right)]
  if (one === undefined || other === undefined) {
    return one === other ? (left < right ? -1 : 1) : one === undefined ? 1 : -1
  }
  const index = one.findIndex((value, at) => value !== other[at])
  return index === -1 ? 0 : (other[index] as number) - (one[index] as number)
}

/** Stability, major and minor number; undefined for what is no version of Kubernetes' kind. */
function rank(version: string): number[] | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (match === null) return undefined
  return [match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0, Number(match[1]), Number(match[3] ?? 0)]
}
