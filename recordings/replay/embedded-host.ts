/** The embedded API server as a child process that can also be told, over IPC, to forget its history. */
import { type ServerOptions, startServer } from '../../clusters/embedded/server/server.ts'
import type { KubeConnection } from '../../src/kube/kubeconfig.ts'

/** What the host says: the connection once it is ready, then a word after each compaction. */
export type HostMessage = { readonly connection: KubeConnection } | { readonly compacted: true }

const options = JSON.parse(process.argv[2] ?? '{}') as ServerOptions
const server = await startServer({ ...options, log: (error) => console.error(error) })
process.on('disconnect', () => process.exit(0))
process.on('message', () => {
  server.store.compact()
  say({ compacted: true })
})
say({
  connection: {
    server: `https://127.0.0.1:${server.port}`,
    certificateAuthority: server.authority,
    token: server.token,
    insecure: false,
    namespace: 'default',
  },
})

function say(message: HostMessage): void {
  process.send?.(message)
}
