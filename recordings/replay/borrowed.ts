import { UsageError } from '../../src/contract/errors.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { ServerSource } from './server.ts'
import { Target } from './target.ts'

/** Any API server that a kubeconfig names. Its settings are what they are. */
export function borrowedServer(kubeconfig: string): ServerSource {
  return {
    name: kubeconfig,
    async start(settings) {
      const unusual = Object.keys(settings)
      if (unusual.length > 0)
        throw new UsageError(`a server that is not ours can't be started with ${unusual.join(', ')}`)
      const target = new Target(await loadKubeconfig(kubeconfig))
      return { target, borrowed: true, stop: async () => target.close() }
    },
  }
}
