import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Signals that a person, npm or CI ends a command with. */
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Runs a TypeScript program on the given Node: in this process where it is that Node already, otherwise as a child
 * whose exit code becomes ours and that gets every signal we get.
 *
 * @param {string} runtime
 * @param {string} program
 * @param {readonly string[]} words
 */
export async function handOver(runtime, program, words) {
  if (realpathSync(runtime) === realpathSync(process.execPath)) {
    process.argv = [process.execPath, program, ...words]
    await import(pathToFileURL(program).href)
    return
  }
  const child = spawn(runtime, [program, ...words], { stdio: 'inherit' })
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  const [code, signal] = await once(child, 'exit')
  process.exitCode = code ?? 1
  if (!signal) return
  // Ended by a signal that it did not handle: end the same way, so that a shell sees what happened.
  for (const one of SIGNALS) process.removeAllListeners(one)
  process.kill(process.pid, signal)
}
