import { fileURLToPath } from 'node:url'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { valueAt } from '../json-path.ts'
import { Target } from '../replay/target.ts'

/** Where the answers of a real Kubernetes are kept. */
export const RECORDED = fileURLToPath(new URL('./recorded.json', import.meta.url))

/** The version a server says it is. */
export async function serverVersion(kubeconfig: string, signal: AbortSignal): Promise<string> {
  const target = new Target(await loadKubeconfig(kubeconfig))
  try {
    const { body } = await target.request({ method: 'GET', path: '/version' }, signal)
    return String(valueAt(body, '$.gitVersion'))
  } finally {
    target.close()
  }
}
