import { ApiFailure } from '../api/api-failure.ts'
import { NODES } from '../api/resource-path.ts'
import type { KubernetesObject } from '../contract/kubernetes.ts'
import type { PoolContext } from './pool.ts'

/** What the pool needs to know of a cluster's Node. */
export interface NodeFact {
  readonly name: string
  readonly ready: boolean
}

/** Nodes by every address they report, in lower case. */
export type NodesByAddress = ReadonlyMap<string, NodeFact>

/** The cluster's Nodes as an operation reads them, as far as its identity may see them. */
export interface NodesReader {
  read(signal: AbortSignal): Promise<void>
  latest(): NodesByAddress
}

/** Reads Nodes for one operation; where they are forbidden it says so in the log and the pool works without. */
export function nodesFor(context: PoolContext, operation: string, testId: string | undefined): NodesReader {
  let latest: NodesByAddress = new Map()
  let isForbidden = false
  return {
    latest: () => latest,
    async read(signal) {
      if (isForbidden) return
      try {
        latest = indexNodes(await context.api.list<Node>(NODES, { signal }))
      } catch (error) {
        if (!(error instanceof ApiFailure) || (error.kind !== 'forbidden' && error.kind !== 'missing'))
          throw error
        isForbidden = true
        context.journal.record('warn', {
          operation,
          decision: 'go on without Nodes',
          reason: `machines are told apart by their field alone: ${error.message}`,
          ...(testId !== undefined && { testId }),
        })
      }
    },
  }
}

interface Node extends KubernetesObject {
  status?: {
    addresses?: { type?: string; address?: string }[]
    conditions?: { type?: string; status?: string }[]
  }
}

function indexNodes(nodes: readonly Node[]): NodesByAddress {
  const byAddress = new Map<string, NodeFact>()
  for (const { metadata, status } of nodes) {
    const ready = status?.conditions?.some((it) => it.type === 'Ready' && it.status === 'True') ?? false
    const fact = { name: metadata?.name ?? '', ready }
    for (const { address } of status?.addresses ?? []) if (address) byAddress.set(address.toLowerCase(), fact)
  }
  return byAddress
}
