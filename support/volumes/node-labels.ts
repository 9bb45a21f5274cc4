import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import type { PoolwrightWorld } from '../world.ts'

/** The labels of a Node, by which volumes are bound to it. */
export async function readNodeLabels(
  { kube, signal }: PoolwrightWorld,
  name: string,
): Promise<Readonly<Record<string, string>>> {
  const node = await kube.get<KubernetesObject>(objectPath(collectionPath('v1', 'nodes'), name), signal)
  return node.metadata?.labels ?? {}
}
