import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { Scratch } from '../replay/scratch.ts'
import { Target } from '../replay/target.ts'

/** Runs work with a namespace that exists, and deletes it afterwards. */
export async function inNamespace<T>(
  kubeconfig: string,
  namespace: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const target = new Target(await loadKubeconfig(kubeconfig))
  const scratch = new Scratch(target, { name: namespace, kubernetes: '', namespace, steps: [] }, signal)
  try {
    await scratch.setUp()
    return await work()
  } finally {
    await scratch.tearDown()
    target.close()
  }
}
