import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { UsageError } from '../../src/contract/errors.ts'
import { EXIT } from '../exit-codes.ts'
import type { Finding } from '../lint/findings.ts'

/** `poolwright lint`: whether scenarios are tagged by what their steps do to a cluster. Needs none. */
export function lintCommand(): Command {
  return new Command('lint')
    .description('find scenarios that change the cluster and are not tagged so')
    .argument('[paths...]', 'feature files or folders; all features by default')
    .action(lint)
}

async function lint(paths: readonly string[]): Promise<void> {
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined) throw new UsageError(`There is no feature file or folder ${missing}`)
  // Takes a while to load, which no other command should pay for.
  const [{ readNatures }, { findings }] = await Promise.all([
    import('../lint/scenario-natures.ts'),
    import('../lint/findings.ts'),
  ])
  const natures = await readNatures(paths.length > 0 ? paths.map((path) => resolve(path)) : ['features'])
  const found = findings(natures)
  for (const { weight, place, message } of found) process.stdout.write(`${place}: ${weight}: ${message}\n`)
  const placesOf = (weight: Finding['weight']): number =>
    new Set(found.filter((finding) => finding.weight === weight).map(({ place }) => place)).size
  const refused = placesOf('refused')
  process.stdout.write(
    `${natures.length} scenarios, ${refused} refused, ${placesOf('warning')} with a warning\n`,
  )
  if (refused > 0) process.exitCode = EXIT.failed
}
