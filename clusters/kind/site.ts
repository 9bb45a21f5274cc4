import { join } from 'node:path'
import { clusterDirectory } from '../embedded/cluster-state.ts'

/** kind puts the nodes of all clusters into this network of the engine. */
export const NETWORK = 'kind'

/** Where everything of one kind cluster is, on this machine and in the engine. */
export interface Site {
  /** As the command line names it. */
  readonly name: string
  /** As kind knows it; its nodes' containers are `<cluster>-control-plane`, `<cluster>-worker`, … */
  readonly cluster: string
  readonly directory: string
  readonly kubeconfig: string
  /** Mounted into all workers. */
  readonly sharedFolder: string
}

/** Throws UsageError for what can't name a cluster. */
export function siteOf(name: string): Site {
  const cluster = `poolwright-${name}`
  const directory = clusterDirectory(`kind-${name}`)
  return {
    name,
    cluster,
    directory,
    kubeconfig: join(directory, 'kubeconfig'),
    sharedFolder: join(directory, 'shared'),
  }
}
