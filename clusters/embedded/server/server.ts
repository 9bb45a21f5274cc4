import { randomBytes } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { Authenticator } from './auth/authenticate.ts'
import { createAuthority } from './auth/certificates.ts'
import { kubeconfig } from './auth/kubeconfig.ts'
import type { User } from './auth/users.ts'
import { runDefinitionController } from './controllers/definitions.ts'
import { runNamespaceController } from './controllers/namespaces.ts'
import { handle } from './http/handle.ts'
import { create } from './registry/create.ts'
import { Registry } from './registry/registry.ts'
import type { Resource } from './registry/resource.ts'
import { RESOURCES } from './resources/table.ts'
import { type HistoryLimits, Store } from './store/store.ts'
import { VERSION } from './version.ts'

export interface ServerOptions {
  /** 0 takes a free one. */
  readonly port?: number
  /** Requests that don't say who sends them: answered with what is public (as by default in Kubernetes), or 401. */
  readonly anonymousAuth?: boolean
  /** Further bearer tokens and whom they stand for. */
  readonly tokens?: Readonly<Record<string, User>>
  readonly history?: HistoryLimits
  /** Told of errors that are the server's own. */
  readonly log?: (error: unknown) => void
}

/** A server that is listening. */
export interface RunningServer {
  readonly port: number
  readonly version: string
  /** Content of a kubeconfig file. */
  readonly kubeconfig: string
  /** The administrator's bearer token. */
  readonly token: string
  /** Certificate of the authority, PEM. */
  readonly authority: string
  readonly store: Store
  readonly close: () => Promise<void>
}

const BUILT_IN_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system']
const ADMIN: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }

/** Starts an API server on 127.0.0.1, empty but for what every cluster has. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const authority = await createAuthority('poolwright-embedded-ca')
  const [identity, admin] = await Promise.all([
    authority.issue({ commonName: 'kube-apiserver', usage: 'server', hosts: ['127.0.0.1', 'localhost'] }),
    authority.issue({ commonName: 'kubernetes-admin', organisations: ['system:masters'], usage: 'client' }),
  ])
  const token = randomBytes(32).toString('base64url')
  const store = new Store(options.history)
  const registry = new Registry(store, RESOURCES)
  const controllers = [
    runNamespaceController(registry, authority.certificate),
    runDefinitionController(registry),
  ]
  await furnish(registry)
  const services = {
    registry,
    authenticator: new Authenticator({ ...options.tokens, [token]: ADMIN }, options.anonymousAuth ?? true),
    log: options.log ?? (() => {}),
  }
  const server = createServer(
    {
      cert: identity.certificate,
      key: identity.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
      keepAliveTimeout: 60_000,
      ALPNProtocols: ['http/1.1'],
    },
    (request, response) => void handle(services, request, response),
  )
  const sockets = new Set<Socket>()
  server.on('secureConnection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    version: VERSION.gitVersion,
    kubeconfig: kubeconfig({
      server: `https://127.0.0.1:${port}`,
      authority: authority.certificate,
      admin,
      token,
    }),
    token,
    authority: authority.certificate,
    store,
    close: async () => {
      for (const stop of controllers) stop()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await closed
    },
  }
}

/** The namespaces that are always there. What lies before them cannot be read, as in a cluster that has been up for a while. */
async function furnish(registry: Registry): Promise<void> {
  const row = registry.find('', 'v1', 'namespaces') as Resource
  for (const name of BUILT_IN_NAMESPACES) {
    create(registry, row, undefined, row.decode({ metadata: { name } }).object, { dryRun: false })
  }
  await new Promise((resolve) => setImmediate(resolve))
  registry.store.compact()
}
