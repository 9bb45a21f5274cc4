import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { UsageError } from '../../src/contract/errors.ts'
import { serveFolder } from '../../support/report/folder-server.ts'
import { readPastRun } from '../../support/report/past-run.ts'
import { reportPaths } from '../run/reports.ts'
import { lockReports } from '../run/reports-lock.ts'
import { openBrowser } from './open-browser.ts'

interface ReportOptions {
  readonly reports: string
}

interface GenerateOptions extends ReportOptions {
  readonly partial: boolean
}

/** `poolwright report`: look at what the last run left, or make its pages again. */
export function reportCommand(): Command {
  return new Command('report')
    .description('look at the reports of the last run')
    .addCommand(openCommand())
    .addCommand(generateCommand())
}

function openCommand(): Command {
  return withFolder(new Command('open'))
    .description('show the reports in a browser, from a server for this machine alone, until Ctrl-C')
    .action(async ({ reports }: ReportOptions) => {
      const { acceptancePage } = reportPaths(reports)
      if (!existsSync(acceptancePage)) throw new UsageError(nothingIn(reports))
      const server = await serveFolder(reports, 'acceptance.html')
      console.log(`Acceptance: ${server.url}`)
      if (existsSync(join(reports, 'allure', 'index.html')))
        console.log(`Allure:     ${server.url}allure/index.html`)
      console.log('Ctrl-C ends this.')
      if (process.stdout.isTTY) openBrowser(server.url)
      await untilSignalled()
      await server.close()
    })
}

function generateCommand(): Command {
  return withFolder(new Command('generate'))
    .description('make the pages again from what the run left: after installing Java, or on another machine')
    .option('--partial', 'of a run that was cut short too: what it left before its end', false)
    .action(async ({ reports, partial }: GenerateOptions) => {
      const paths = reportPaths(reports)
      if (!existsSync(paths.context)) throw new UsageError(nothingIn(reports))
      await using _lock = await lockReports(reports)
      const { context, interrupted } = await readPastRun(paths, { partial })
      // Takes a while to load, which no other command should pay for.
      const { writeReports } = await import('../../support/report/reports.ts')
      const { pages, notes } = await writeReports({
        context: { ...context, reports },
        interrupted,
        require: [],
      })
      for (const page of pages) console.log(page)
      const [note] = notes
      if (note !== undefined) throw new UsageError(note)
    })
}

function withFolder(command: Command): Command {
  return command.option(
    '--reports <folder>',
    'where the reports are',
    (path: string) => resolve(path),
    fileURLToPath(new URL('../../reports', import.meta.url)),
  )
}

function nothingIn(reports: string): string {
  return `There are no reports in ${reports}: "poolwright test" makes them, or name another folder with --reports`
}

function untilSignalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}
