import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { whyNoKubeconfig } from '../contract/kubeconfig-file.ts'

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

/** What KUBECONFIG names, one file or a list of them, else kubectl's own place. */
export function defaultKubeconfig(environment: NodeJS.ProcessEnv = process.env): string {
  const named = (environment.KUBECONFIG ?? '').split(delimiter).filter(Boolean)
  return named.length > 0 ? named.join(delimiter) : join(homedir(), '.kube', 'config')
}

/**
 * Reads a kubeconfig file and resolves one context of it, the current one by default. Of a list of files, as KUBECONFIG
 * may name, those that are missing are ignored and the first to have a name or value has its way, as in client-go.
 * Throws KubeconfigError.
 */
export async function loadKubeconfig(paths: string, contextName?: string): Promise<KubeConnection> {
  const files = await readFiles(paths)
  const all = files.map(({ path }) => path).join(', ')
  const current = files.map(({ config }) => text(config['current-context'])).find(Boolean)
  const wanted = contextName ?? current
  if (!wanted) throw new KubeconfigError(all, 'it has no current-context')
  const context = named(files, 'context', wanted)
  const clusterName = text(context.fields.cluster)
  if (!clusterName) throw new KubeconfigError(context.path, `context "${wanted}" names no cluster`)
  const cluster = named(files, 'cluster', clusterName)
  const userName = text(context.fields.user)
  const user = userName ? named(files, 'user', userName) : { path: all, fields: {} }
  refuseUnsupported(user.path, userName ?? '', user.fields)
  const tokenFile = text(user.fields.tokenFile)
  return {
    server: serverAddress(cluster.path, clusterName, cluster.fields),
    ...present('certificateAuthority', await material(cluster, 'certificate-authority')),
    ...present('clientCertificate', await material(user, 'client-certificate')),
    ...present('clientKey', await material(user, 'client-key')),
    ...present('token', text(user.fields.token)),
    ...present('tokenFile', tokenFile && resolve(dirname(user.path), tokenFile)),
    ...present('tlsServerName', text(cluster.fields['tls-server-name'])),
    insecure: cluster.fields['insecure-skip-tls-verify'] === true,
    namespace: text(context.fields.namespace) ?? 'default',
  }
}

/** One file of a list. */
interface KubeconfigFile {
  readonly path: string
  readonly config: Mapping
}

/** A context, cluster or user, and the file that it is from: paths in it start there. */
interface Named {
  readonly path: string
  readonly fields: Mapping
}

/** The files of a list that are there. */
export function presentKubeconfigs(paths: string): readonly string[] {
  // A folder's name may have the character that separates a list.
  if (existsSync(paths)) return [paths]
  return listed(paths).filter((path) => existsSync(path))
}

function listed(paths: string): readonly string[] {
  return paths.split(delimiter).filter(Boolean)
}

async function readFiles(paths: string): Promise<readonly KubeconfigFile[]> {
  const several = listed(paths).length > 1
  // What is wrong with a single one shows when it is read.
  const there = several ? presentKubeconfigs(paths) : [paths]
  if (there.length === 0) throw new KubeconfigError(listed(paths).join(', '), 'none of them is there')
  return Promise.all(
    there.map(async (path) => ({ path, config: mapping(path, await parse(path), 'the file') })),
  )
}

type Mapping = Record<string, unknown>

/** JSON is tried first: it is what our own clusters write, and it spares the cost of loading a YAML parser. */
async function parse(path: string): Promise<unknown> {
  const unfit = whyNoKubeconfig(path)
  if (unfit) throw new KubeconfigError(path, unfit)
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

function named(files: readonly KubeconfigFile[], kind: 'context' | 'cluster' | 'user', name: string): Named {
  for (const { path, config } of files) {
    const list: unknown = config[`${kind}s`]
    const found = (Array.isArray(list) ? list : []).find((item) => (item as Mapping | null)?.name === name)
    if (found) return { path, fields: mapping(path, (found as Mapping)[kind], `${kind} "${name}"`) }
  }
  const all = files.map(({ path }) => path).join(', ')
  throw new KubeconfigError(all, `it has no ${kind} named "${name}"`)
}

function serverAddress(path: string, name: string, cluster: Mapping): string {
  const server = text(cluster.server)
  if (!server) throw new KubeconfigError(path, `cluster "${name}" names no server`)
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw new KubeconfigError(path, `server "${server}" of cluster "${name}" is not an http or https address`)
  return server.replace(/\/+$/, '')
}

/** Inline `…-data` wins over a file, as in client-go; relative files start at the kubeconfig's own folder. */
async function material({ path, fields }: Named, field: string): Promise<string | undefined> {
  const inline = text(fields[`${field}-data`])
  if (inline) return Buffer.from(inline, 'base64').toString('utf8')
  const file = text(fields[field])
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
