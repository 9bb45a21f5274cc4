import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { userCache } from '../../this-machine/user-cache.ts'

/** Where our own engine keeps what. */
export interface EngineFolders {
  /** Eight hexadecimal digits: what this engine's things are called where those of others are as well. */
  readonly id: string
  /** Images and containers; stays when the engine stops. */
  readonly dataRoot: string
  readonly log: string
  /** All that a running engine has besides; gone when it stops. */
  readonly run: string
  readonly execRoot: string
  readonly pidFile: string
  readonly socket: string
  readonly configFile: string
  readonly runtimeWrapper: string
}

/** unix(7) allows a socket's path 107 bytes; this is the longest that the engine makes below its run folder. */
const LONGEST_SOCKET = '/exec/containerd/containerd-debug.sock.ttrpc'
const SOCKET_PATH_LIMIT = 107

/** The same cache folder is always the same engine. */
export function engineFolders(cacheFolder: string = userCache()): EngineFolders {
  const engine = join(cacheFolder, 'engine')
  const run = runFolder(join(engine, 'run'))
  return {
    id: createHash('sha256').update(run).digest('hex').slice(0, 8),
    dataRoot: join(engine, 'data'),
    log: join(engine, 'dockerd.log'),
    run,
    execRoot: join(run, 'exec'),
    pidFile: join(run, 'dockerd.pid'),
    socket: join(run, 'docker.sock'),
    configFile: join(run, 'daemon.json'),
    runtimeWrapper: join(run, 'runtime-without-sys-resource'),
  }
}

function runFolder(wanted: string): string {
  if (Buffer.byteLength(wanted + LONGEST_SOCKET) <= SOCKET_PATH_LIMIT) return wanted
  return join('/run/poolwright', createHash('sha256').update(wanted).digest('hex').slice(0, 12))
}
