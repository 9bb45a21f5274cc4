/** The command line, a table of its commands: node bin/poolwright.ts COMMAND. */
import { Command } from 'commander'
import { acceptCommand } from './commands/accept.ts'
import { clusterCommand } from './commands/cluster.ts'
import { doctorCommand } from './commands/doctor.ts'
import { lintCommand } from './commands/lint.ts'
import { poolCommand } from './commands/pool.ts'
import { reportCommand } from './commands/report.ts'
import { restoreCommand } from './commands/restore.ts'
import { stepsCommand } from './commands/steps.ts'
import { testCommand } from './commands/test.ts'
import { runCommandLine } from './run-command-line.ts'

const program = new Command('poolwright')
  .description(
    'Acceptance tests for node pools on Kubernetes, on a cluster that needs nothing but the npm install.',
  )
  .addCommand(testCommand())
  .addCommand(acceptCommand())
  .addCommand(clusterCommand())
  .addCommand(restoreCommand())
  .addCommand(stepsCommand())
  .addCommand(lintCommand())
  .addCommand(poolCommand())
  .addCommand(reportCommand())
  .addCommand(doctorCommand())

process.exitCode = await runCommandLine(program, process.argv.slice(2))
