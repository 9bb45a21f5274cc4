import type { ConfigMap } from '../../src/contract/kubernetes.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import type { PoolwrightWorld } from '../world.ts'
import { podsOf } from './pods.ts'

const KEY = 'notice'
const FOLDER = '/notices'

/** Makes a ConfigMap with this text, and a pod that mounts it and says what it reads whenever that changes. */
export async function mountNotice(
  world: PoolwrightWorld,
  pod: string,
  configMap: string,
  text: string,
): Promise<void> {
  const object: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: configMap, labels: world.labels },
    data: { [KEY]: text },
  }
  await world.kube.create(configMaps(world), object, world.signal)
  const pods = podsOf(world)
  await pods.create(pod, {
    does: [`follow:${FOLDER}/${KEY}`, 'stay:'],
    container: { volumeMounts: [{ name: KEY, mountPath: FOLDER, readOnly: true }] },
    spec: { volumes: [{ name: KEY, configMap: { name: configMap } }] },
  })
  await pods.untilRunning(pod)
}

export async function changeNotice(world: PoolwrightWorld, configMap: string, text: string): Promise<void> {
  const path = objectPath(configMaps(world), configMap)
  await world.kube.patch(path, { data: { [KEY]: text } }, 'merge', world.signal)
}

/** Waits until this is what the pod read last. */
export async function untilRead(world: PoolwrightWorld, pod: string, text: string): Promise<void> {
  // Nodes look again once a minute and a half where nobody shortened that: more than a controller's reaction.
  const limitMs = world.limits.step * 0.8
  await podsOf(world)
    .heard(pod)
    .until(`pod ${pod} to read "${text}"`, limitMs, (lines) => lines.at(-1)?.text === text)
}

function configMaps({ namespace }: PoolwrightWorld): string {
  return collectionPath('v1', 'configmaps', namespace)
}
