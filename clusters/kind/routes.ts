import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import type { Tools } from './tools.ts'

interface ClusterNode extends KubernetesObject {
  spec?: { podCIDR?: string }
  status?: { addresses?: { type?: string; address?: string }[] }
}

interface Neighbour {
  readonly name: string
  readonly address: string
  /** The first address of its pods. */
  readonly pods: string
}

/**
 * Which node doesn't send packets for another's pods to that node, in words; empty where all do. After an engine's
 * restart everything looks well from the API while what talks across nodes fails for ever.
 */
export async function lostRoutes(
  client: KubeClient,
  tools: Pick<Tools, 'docker'>,
  signal: AbortSignal,
): Promise<string[]> {
  const nodes = await listAll<ClusterNode>(client, {
    path: collectionPath('v1', 'nodes'),
    labelSelector: 'kubernetes.io/os=linux',
    signal,
  })
  const neighbours = nodes.objects.map(neighbour)
  const problems = await Promise.all(
    neighbours.map((from) =>
      lostBy(
        from,
        neighbours.filter(({ name }) => name !== from.name),
        tools,
        signal,
      ),
    ),
  )
  return problems.flat()
}

function neighbour({ metadata, spec, status }: ClusterNode): Neighbour {
  const address = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? 'unknown'
  const [, network] = /^(\d+\.\d+\.\d+)\.\d+\/\d+$/.exec(spec?.podCIDR ?? '') ?? []
  // A node without a subnet has no pods to reach; an address that is none leads nowhere.
  const pods = network === undefined ? '0.0.0.0' : `${network}.1`
  return { name: metadata?.name ?? '', address, pods }
}

async function lostBy(
  from: Neighbour,
  others: readonly Neighbour[],
  tools: Pick<Tools, 'docker'>,
  signal: AbortSignal,
): Promise<string[]> {
  // One look at all of them: each costs the engine as much. "Unreachable" is an answer too, with a code of its own.
  const questions = others.map(({ pods }) => `ip -4 route get ${pods}`)
  const words = ['exec', from.name, 'sh', '-c', [...questions, 'true'].join('; ')]
  const said = await tools
    .docker(words, { for: `asking ${from.name} for its routes`, signal })
    .catch((error: Error) => {
      signal.throwIfAborted()
      return error.message
    })
  const lines = said.split('\n')
  return others
    .filter(({ pods, address }) => !lines.some((line) => line.startsWith(`${pods} via ${address} `)))
    .map(({ name }) => `Node ${from.name} has no route to the pods of ${name}`)
}
