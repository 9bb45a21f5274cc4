import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import type { CataloguedStep } from '../steps/catalogue.ts'
import { STEPS_PAGE, stepsPage } from '../steps/page.ts'

/** `poolwright steps`: what scenarios can be written with. */
export function stepsCommand(): Command {
  return new Command('steps')
    .description('list the steps that scenarios are written with, each with its place and an example')
    .option('--write', 'write docs/steps.md anew instead')
    .action(async ({ write }: { readonly write?: true }) => {
      // Takes a while to load, which no other command should pay for.
      const { readCatalogue } = await import('../steps/catalogue.ts')
      const catalogue = await readCatalogue()
      if (write) await writeFile(STEPS_PAGE, stepsPage(catalogue))
      const page = relative(process.cwd(), fileURLToPath(STEPS_PAGE))
      const text = write ? `${page}: ${catalogue.steps.length} steps` : listing(catalogue.steps)
      process.stdout.write(`${text}\n`)
    })
}

function listing(steps: readonly CataloguedStep[]): string {
  return [...Map.groupBy(steps, ({ noun }) => noun)]
    .map(([noun, all]) => [noun, ...all.map(entry)].join('\n'))
    .join('\n\n')
}

function entry({ keyword, pattern, doc, file, line, example }: CataloguedStep): string {
  return [
    `  ${keyword} ${pattern}`,
    ...(doc ? [`      ${doc}`] : []),
    `      ${file}:${line}`,
    ...(example ? [`      ${example.feature}:${example.line}: ${example.text}`] : []),
  ].join('\n')
}
