import { readFile } from 'node:fs/promises'
import { RESOURCES } from '../../clusters/embedded/server/resources/table.ts'

/** What of one API version the embedded cluster serves, and what of Kubernetes it answers with 501. */
export interface VersionGap {
  readonly version: string
  readonly served: readonly string[]
  readonly refused: readonly string[]
}

const KUBERNETES = new URL(
  '../../clusters/embedded/server/resources/kubernetes-resources.json',
  import.meta.url,
)

type Known = Readonly<
  Record<string, Readonly<Record<string, { readonly subresources?: Readonly<Record<string, string>> }>>>
>

/** Both lists, from the server's own tables. Versions in the order of Kubernetes' discovery. */
export async function versionGaps(): Promise<VersionGap[]> {
  const known = JSON.parse(await readFile(KUBERNETES, 'utf8')) as Known
  const served = new Set(
    RESOURCES.flatMap(({ group, version, resource, subresources }) => {
      const name = `${group === '' ? version : `${group}/${version}`} ${resource}`
      return [name, ...subresources.map((subresource) => `${name}/${subresource}`)]
    }),
  )
  return Object.entries(known).map(([version, resources]) => {
    const all = Object.entries(resources).flatMap(([resource, { subresources = {} }]) => [
      resource,
      ...Object.keys(subresources).map((subresource) => `${resource}/${subresource}`),
    ])
    return {
      version,
      served: all.filter((name) => served.has(`${version} ${name}`)),
      refused: all.filter((name) => !served.has(`${version} ${name}`)),
    }
  })
}
