import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { HostMessage } from './embedded-host.ts'
import type { ServerSource } from './server.ts'
import { Target } from './target.ts'

const HOST = fileURLToPath(new URL('./embedded-host.ts', import.meta.url))
const LIMIT_MS = 30_000

/** An embedded API server of its own for each settings, gone afterwards. */
export function embeddedServer(): ServerSource {
  return {
    name: 'embedded',
    async start(settings, signal) {
      const host = fork(HOST, [JSON.stringify(settings)])
      const ended = once(host, 'exit')
      const stop = async (): Promise<void> => {
        host.kill('SIGKILL')
        await ended
      }
      try {
        const message = await hear(host, ended, signal)
        if (!('connection' in message)) throw new Error('the embedded server did not say where it is')
        const target = new Target(message.connection)
        const compact = async (): Promise<void> => {
          host.send('compact')
          await hear(host, ended, signal)
        }
        const close = async (): Promise<void> => {
          target.close()
          await stop()
        }
        return { target, compact, borrowed: false, stop: close }
      } catch (error) {
        await stop()
        throw error
      }
    },
  }
}

async function hear(host: ChildProcess, ended: Promise<unknown>, signal: AbortSignal): Promise<HostMessage> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
  const early = ended.then(() => {
    throw new Error('the embedded server ended before it was ready')
  })
  const [message] = await Promise.race([once(host, 'message', { signal: limit }), early])
  return message as HostMessage
}
