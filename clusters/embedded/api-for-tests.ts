import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { startServer } from './server/server.ts'

export interface ApiForTests {
  readonly kube: KubeClient
  /** Path of its kubeconfig. */
  readonly kubeconfig: string
  close(): Promise<void>
}

/** An embedded API of a test file's own. */
export async function startApi(): Promise<ApiForTests> {
  const server = await startServer()
  const directory = mkdtempSync(join(tmpdir(), 'poolwright-api-'))
  const kubeconfig = join(directory, 'kubeconfig')
  writeFileSync(kubeconfig, server.kubeconfig, { mode: 0o600 })
  const kube = new KubeClient(await loadKubeconfig(kubeconfig))
  return {
    kube,
    kubeconfig,
    async close() {
      kube.close()
      await server.close()
      rmSync(directory, { recursive: true })
    },
  }
}
