import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** All that is needed to dial one API server. PEM texts, never paths; absent where the file has none. */
export interface KubeConnection {
  /** `https://127.0.0.1:6443`, without a trailing slash. */
  readonly server: string
  readonly certificateAuthority?: string
  readonly clientCertificate?: string
  readonly clientKey?: string
  readonly token?: string
  /** Read again for each request, since a projected token is renewed in place. */
  readonly tokenFile?: string
  readonly insecure: boolean
  /** The name to verify the server's certificate against, where it is not the address. */
  readonly tlsServerName?: string
  /** The context's default namespace. */
  readonly namespace: string
}

/** A kubeconfig can't be used; the message names the file and what is wrong in it. */
export class KubeconfigError extends Error {
  readonly path: string

  constructor(path: string, problem: string, options?: { cause?: unknown }) {
    super(`kubeconfig ${path}: ${problem}`, options)
    this.name = 'KubeconfigError'
    this.path = path
  }
}

/** Reads a kubeconfig file and resolves one context of it, the current one by default. Throws KubeconfigError. */
export async function loadKubeconfig(path: string, contextName?: string): Promise<KubeConnection> {
  const config = mapping(path, await parse(path), 'the file')
  const wanted = contextName ?? text(config['current-context'])
  if (!wanted) throw new KubeconfigError(path, 'it has no current-context')
  const context = named(path, config, 'context', wanted)
  const clusterName = text(context.cluster)
  if (!clusterName) throw new KubeconfigError(path, `context "${wanted}" names no cluster`)
  const cluster = named(path, config, 'cluster', clusterName)
  const userName = text(context.user)
  const user = userName ? named(path, config, 'user', userName) : {}
  refuseUnsupported(path, userName ?? '', user)
  const tokenFile = text(user.tokenFile)
  return {
    server: serverAddress(path, clusterName, cluster),
    ...present('certificateAuthority', await material(path, cluster, 'certificate-authority')),
    ...present('clientCertificate', await material(path, user, 'client-certificate')),
    ...present('clientKey', await material(path, user, 'client-key')),
    ...present('token', text(user.token)),
    ...present('tokenFile', tokenFile && resolve(dirname(path), tokenFile)),
    ...present('tlsServerName', text(cluster['tls-server-name'])),
    insecure: cluster['insecure-skip-tls-verify'] === true,
    namespace: text(context.namespace) ?? 'default',
  }
}

type Mapping = Record<string, unknown>

/** JSON is tried first: it is what our own clusters write, and it spares the cost of loading a YAML parser. */
async function parse(path: string): Promise<unknown> {
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (cause) {
    throw new KubeconfigError(path, `it can't be read (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
  if (content.trimStart().startsWith('{')) {
    try {
      return JSON.parse(content)
    } catch {
      // A YAML flow mapping begins the same way.
    }
  }
  const { parse: parseYaml } = await import('yaml')
  try {
    return parseYaml(content)
  } catch (cause) {
    throw new KubeconfigError(path, 'it is not YAML', { cause })
  }
}

function named(path: string, config: Mapping, kind: 'context' | 'cluster' | 'user', name: string): Mapping {
  const list: unknown = config[`${kind}s`]
  const found = (Array.isArray(list) ? list : []).find((item) => (item as Mapping | null)?.name === name)
  if (!found) throw new KubeconfigError(path, `it has no ${kind} named "${name}"`)
  return mapping(path, (found as Mapping)[kind], `${kind} "${name}"`)
}

function serverAddress(path: string, name: string, cluster: Mapping): string {
  const server = text(cluster.server)
  if (!server) throw new KubeconfigError(path, `cluster "${name}" names no server`)
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw new KubeconfigError(path, `server "${server}" of cluster "${name}" is not an http or https address`)
  return server.replace(/\/+$/, '')
}

/** Inline `…-data` wins over a file, as in client-go; relative files start at the kubeconfig's own folder. */
async function material(path: string, owner: Mapping, field: string): Promise<string | undefined> {
  const inline = text(owner[`${field}-data`])
  if (inline) return Buffer.from(inline, 'base64').toString('utf8')
  const file = text(owner[field])
  if (!file) return undefined
  const absolute = resolve(dirname(path), file)
  try {
    return await readFile(absolute, 'utf8')
  } catch (cause) {
    throw new KubeconfigError(path, `${field} ${absolute} can't be read`, { cause })
  }
}

function refuseUnsupported(path: string, name: string, user: Mapping): void {
  for (const field of ['exec', 'auth-provider', 'username', 'as'])
    if (user[field] !== undefined && user[field] !== null)
      throw new KubeconfigError(path, `user "${name}" logs in by "${field}", which is not supported here`)
}

function mapping(path: string, value: unknown, what: string): Mapping {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Mapping
  throw new KubeconfigError(path, `${what} is not a mapping`)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function present<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: string }
}
