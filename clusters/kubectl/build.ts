/** `npm run kubectl`: builds the pinned kubectl into the user's cache and prints its path. */
import { UsageError } from '../../src/contract/errors.ts'
import { buildKubectl } from './build-kubectl.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort(signal))

try {
  const progress = (line: string): boolean => process.stderr.write(`${line}\n`)
  process.stdout.write(`${await buildKubectl({ signal: stop.signal, progress })}\n`)
} catch (error) {
  process.exitCode = stop.signal.aborted ? 130 : 2
  if (stop.signal.aborted) process.stderr.write('interrupted; nothing half made is left\n')
  else if (error instanceof UsageError) process.stderr.write(`${error.message}\n`)
  else throw error
}
