import { PassThrough, Writable } from 'node:stream'
import { Exec } from '@kubernetes/client-node/dist/exec.js'
import { WebSocketHandler } from '@kubernetes/client-node/dist/web-socket-handler.js'
import { KubeConfig } from './client-node.ts'

export interface ExecRequest {
  /** Path of the kubeconfig whose current context is dialled. */
  readonly kubeconfig: string
  readonly namespace: string
  readonly pod: string
  readonly container: string
  readonly command: readonly string[]
  /** Called with each piece of standard output as it comes. */
  readonly onOutput?: (text: string) => void
  readonly signal: AbortSignal
}

export interface ExecResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** A command that could not be started in its container, or whose end is not known. */
class ExecError extends Error {
  override readonly name = 'ExecError'
}

/**
 * Runs a command in a container to its end. Its exit code is an answer, never thrown; throws ExecError where there is
 * none, and the signal's reason when that ends the wait.
 */
export async function execInPod(request: ExecRequest): Promise<ExecResult> {
  const { kubeconfig, namespace, pod, container, command, onOutput, signal } = request
  signal.throwIfAborted()
  const failed = (why: string, cause?: unknown): ExecError =>
    new ExecError(`exec of ${command[0]} in ${namespace}/${pod} (${container}): ${why}`, { cause })
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  // Left to itself the handler ends this process's own streams when the server closes those of the command.
  const own = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const exec = new Exec(config, new WebSocketHandler(config, undefined, own))
  const stdout = collect(onOutput)
  const stderr = collect()
  const { promise: ended, resolve, reject } = Promise.withResolvers<ExecStatus>()
  const socket = await exec
    .exec(namespace, pod, container, [...command], stdout, stderr, null, false, resolve)
    .catch((error: unknown) => {
      throw failed(messageOf(error), error)
    })
  const giveUp = (): void => reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  socket.onclose = () => reject(failed('the connection ended before the command did'))
  socket.onerror = ({ message }: { message: string }) => reject(failed(message))
  try {
    const status = await ended
    const exitCode = exitCodeOf(status)
    if (exitCode === undefined) throw failed(status.message ?? 'ended without an exit code')
    return { exitCode, stdout: stdout.text, stderr: stderr.text }
  } finally {
    signal.removeEventListener('abort', giveUp)
    socket.close()
  }
}

/** What the API says when a command has ended: a Status whose causes hold the exit code. */
interface ExecStatus {
  readonly status?: string
  readonly message?: string
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] }
}

function exitCodeOf({ status, details }: ExecStatus): number | undefined {
  if (status === 'Success') return 0
  const code = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message
  return code === undefined ? undefined : Number(code)
}

function collect(onOutput?: (text: string) => void): Writable & { readonly text: string } {
  const pieces: Buffer[] = []
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      onOutput?.(piece.toString())
      done()
    },
  })
  return Object.defineProperty(stream, 'text', {
    get: () => Buffer.concat(pieces).toString(),
  }) as Writable & { readonly text: string }
}

/** A failed upgrade is an event, not an error. */
function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | undefined)?.message
  return typeof message === 'string' ? message : String(error)
}
