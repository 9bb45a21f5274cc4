import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { UsageError } from '../../src/contract/errors.ts'
import { clusterDirectory } from '../this-machine/cluster-directory.ts'

/** The longest name of a node's container that is a host name as well. */
const LONGEST_NODE = 63
const LONGEST_SUFFIX = '-control-plane'

/** Where everything of one kind cluster is, on this machine and in the engine. */
export interface Site {
  /** As the command line names it. */
  readonly name: string
  /** As kind knows it; its nodes' containers are `<cluster>-control-plane`, `<cluster>-worker`, … */
  readonly cluster: string
  /** Of the engine, for its nodes and its vantage alone: in a network that is shared, address pools would overlap. */
  readonly network: string
  readonly directory: string
  readonly kubeconfig: string
  /** Mounted into all workers. */
  readonly sharedFolder: string
}

/** Throws UsageError for what can't name a cluster. */
export function siteOf(name: string, environment: NodeJS.ProcessEnv = process.env): Site {
  const directory = clusterDirectory('kind', name, environment)
  // An engine may serve several users and jobs, whose clusters have the same names and other folders.
  const owner = createHash('sha256').update(directory).digest('hex').slice(0, 6)
  const cluster = `poolwright-${name}-${owner}`
  const excess = cluster.length + LONGEST_SUFFIX.length - LONGEST_NODE
  if (excess > 0)
    throw new UsageError(
      `"${name}" can't name a kind cluster: its nodes' names would be too long, use up to ${name.length - excess} characters`,
    )
  return {
    name,
    cluster,
    network: cluster,
    directory,
    kubeconfig: join(directory, 'kubeconfig'),
    sharedFolder: join(directory, 'shared'),
  }
}
