/** The command line, a table of its commands: node bin/poolwright.ts COMMAND. */
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { acceptCommand } from './commands/accept.ts'
import { clusterCommand } from './commands/cluster.ts'
import { doctorCommand } from './commands/doctor.ts'
import { poolCommand } from './commands/pool.ts'
import { reportCommand } from './commands/report.ts'
import { testCommand } from './commands/test.ts'
import { runCommandLine } from './run-command-line.ts'

const program = new Command('poolwright')
  .description(
    'Acceptance tests for node pools on Kubernetes, on a cluster that needs nothing but the npm install.',
  )
  .addCommand(testCommand())
  .addCommand(acceptCommand())
  .addCommand(clusterCommand())
  .addCommand(poolCommand())
  .addCommand(reportCommand())
  .addCommand(doctorCommand())

// A run is a dozen Node processes that load much the same files: each file is compiled once, and not again in the next run.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url))

process.exitCode = await runCommandLine(program, process.argv.slice(2))
