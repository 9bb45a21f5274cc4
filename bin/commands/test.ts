import { Command } from 'commander'
import { addRunOptions, runRequest } from './run-options.ts'

/** `poolwright test`: run scenarios, all of them or those that are named. */
export function testCommand(): Command {
  const command = new Command('test')
    .description('run scenarios and write reports')
    .argument('[paths...]', 'feature files, folders, or file:line of a scenario')
  return addRunOptions(command).action(async (paths: string[], options) => {
    // Takes a while to load, which no other command should pay for.
    const { runSuite } = await import('../run/run.ts')
    const { exitCode } = await runSuite(runRequest(paths, options))
    process.exitCode = exitCode
  })
}
