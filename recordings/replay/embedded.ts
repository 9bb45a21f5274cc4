import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { ServerSource } from './server.ts'
import { Target } from './target.ts'

const MAIN = new URL('../../clusters/embedded/server/main.ts', import.meta.url).pathname
const READY_LIMIT_MS = 20_000

/** An embedded API server of its own, gone afterwards. */
export function embeddedServer(): ServerSource {
  return {
    name: 'embedded',
    async start(settings, signal) {
      const directory = await mkdtemp(join(tmpdir(), 'poolwright-vectors-'))
      const server = spawn(process.execPath, [MAIN, JSON.stringify({ directory, port: 0, ...settings })], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(server, 'exit')
      const stop = async (): Promise<void> => {
        server.kill('SIGKILL')
        await ended
        await rm(directory, { recursive: true, force: true })
      }
      try {
        const [line] = await once(createInterface({ input: server.stdout }), 'line', {
          signal: AbortSignal.any([signal, AbortSignal.timeout(READY_LIMIT_MS)]),
        })
        if (JSON.parse(String(line)).ready !== true) throw new Error(`the embedded server said ${line}`)
        const target = new Target(await loadKubeconfig(join(directory, 'kubeconfig')))
        const close = async (): Promise<void> => {
          target.close()
          await stop()
        }
        return { target, borrowed: false, stop: close }
      } catch (error) {
        await stop()
        throw error
      }
    },
  }
}
