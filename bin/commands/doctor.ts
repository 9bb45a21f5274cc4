import { Command } from 'commander'
import type { Finding } from '../doctor/findings.ts'
import { EXIT } from '../exit-codes.ts'
import { isDebianLike, thisMachine } from '../system/machine.ts'

/** `poolwright doctor`: what this machine has, and how to get what it lacks. Exit 2 when it lacks something. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('show what this machine has and how to get what it lacks')
    .action(async () => {
      // Takes a while to load, which no other command should pay for.
      const { examineMachine } = await import('../doctor/findings.ts')
      const findings = await examineMachine()
      for (const line of table(findings)) process.stdout.write(`${line}\n`)
      const missing = findings.filter(({ found }) => found === undefined)
      for (const line of advice(missing)) process.stdout.write(`${line}\n`)
      process.exitCode = missing.length > 0 ? EXIT.usage : EXIT.passed
    })
}

function table(findings: readonly Finding[]): string[] {
  const rows = [
    ['', 'found', 'for'],
    ...findings.map(({ subject, found, purpose }) => [subject, found ?? 'missing', purpose]),
  ]
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** One command for what the distribution has, a line for each of the rest. */
function advice(missing: readonly Finding[]): string[] {
  const packages = isDebianLike(thisMachine())
    ? missing.flatMap(({ debianPackage }) => debianPackage ?? [])
    : []
  const rest = missing.filter(({ debianPackage }) => !packages.includes(debianPackage ?? ''))
  return [
    ...(packages.length > 0 ? ['', `sudo apt-get install --yes ${packages.join(' ')}`] : []),
    ...rest.map(({ subject, remedy }) => `${subject}: ${remedy}`),
  ]
}
