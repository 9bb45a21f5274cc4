import { Command } from 'commander'
import { addRunOptions, runRequest } from './run-options.ts'

/** `poolwright accept`: the acceptance run, all features with the report. */
export function acceptCommand(): Command {
  const command = new Command('accept').description('run the whole acceptance suite and write its report')
  return addRunOptions(command).action(async (options) => {
    // Takes a while to load, which no other command should pay for.
    const { runSuite } = await import('../run/run.ts')
    const { exitCode } = await runSuite(runRequest([], options))
    process.exitCode = exitCode
  })
}
