import { randomBytes } from 'node:crypto'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { conditionOf, type Pod, showPod } from '../pods/pod.ts'
import type { PoolwrightWorld } from '../world.ts'

/** On a node: so much of it has been written. */
const WRITTEN_LABEL = 'poolwright.dev/written'

/** What a scenario has of it. */
type Site = Pick<PoolwrightWorld, 'kube' | 'namespace' | 'labels' | 'changes' | 'signal' | 'waitFor'>

/**
 * Waits until the scheduler knows all that was written to a node so far. It learns of nodes by a watch, and places pods by what
 * it knew before until then: whoever closes a node and creates a pod at once may find it there. The node gets one more label,
 * which arrives after the rest, and a pod asks for a node with that label and for more than any node has: it is told that the
 * latter is missing once the former is known, and is never placed.
 */
export async function untilSchedulerKnows(site: Site, node: string): Promise<void> {
  const { kube, namespace, labels, changes, signal } = site
  const written = randomBytes(4).toString('hex')
  await changes.label(node, { [WRITTEN_LABEL]: written })
  const path = collectionPath('v1', 'pods', namespace)
  const name = `asks-for-${written}`
  await kube.create(
    path,
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels },
      spec: {
        nodeSelector: { [WRITTEN_LABEL]: written },
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'none', image: 'none', resources: { requests: { cpu: '1000000' } } }],
      },
    },
    signal,
  )
  await site.waitFor<Pod, true>({
    for: `the scheduler to know what was written to node ${node}`,
    path,
    fieldSelector: `metadata.name=${name}`,
    until: ([pod]) =>
      (pod && conditionOf(pod, 'PodScheduled')?.message?.includes('Insufficient cpu')) || undefined,
    show: showPod,
  })
  await kube.delete(objectPath(path, name), undefined, signal)
}
