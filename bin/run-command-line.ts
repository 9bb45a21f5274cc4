import { type Command, CommanderError } from 'commander'
import { UsageError } from '../src/contract/errors.ts'
import { EXIT } from './exit-codes.ts'

/** Set to anything, it adds the stack to an error that the command line reports in one line. */
const DEBUG_VARIABLE = 'POOLWRIGHT_DEBUG'

/**
 * Runs the command that the arguments name and resolves with the exit code, which a command leaves in
 * process.exitCode. Whatever goes wrong ends as one clear line.
 */
export async function runCommandLine(program: Command, words: readonly string[]): Promise<number> {
  // A terminal that is closed, a pipe that nobody reads: that must not end what is still to be cleaned up and reported.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  prepare(program)
  try {
    await program.parseAsync(words, { from: 'user' })
    return typeof process.exitCode === 'number' ? process.exitCode : EXIT.passed
  } catch (error) {
    // Commander has already written its own line, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.passed : EXIT.usage
    process.stderr.write(`poolwright: ${describeError(error)}\n`)
    return EXIT.usage
  }
}

/** Errors of a command in the shape of every other line, thrown instead of ending the process. */
function prepare(command: Command): void {
  command.exitOverride().showSuggestionAfterError(true)
  command.configureOutput({
    outputError: (text, write) =>
      write(
        `poolwright: ${text
          .replace(/^error: /, '')
          .replaceAll('\n', ' ')
          .trim()}\n`,
      ),
  })
  for (const child of command.commands) prepare(child)
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (process.env[DEBUG_VARIABLE]) return error.stack ?? error.message
  const hint = error instanceof UsageError ? '' : ` (set ${DEBUG_VARIABLE}=1 for the stack)`
  return `${error.message}${hint}`
}
