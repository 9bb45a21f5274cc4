import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { IConfiguration } from '@cucumber/cucumber/api'

/** Where the reporter leaves one file per scenario, for this and for any other Allure. */
export function allureResultsFolder(reports: string): string {
  return join(reports, 'allure-results')
}

const REPORTER = fileURLToPath(new URL('reporter.ts', import.meta.url))

/** The reporter's own output, which is always empty. */
export const REPORTER_OUTPUT = 'reporter-output.txt'

/** What Cucumber must be told so that Allure's reporter runs beside other formatters. */
export function allureCucumberOptions(
  reports: string,
): Required<Pick<IConfiguration, 'format' | 'formatOptions'>> {
  const resultsDir = allureResultsFolder(reports)
  return {
    // Without a file of its own the reporter shares standard output, loses to the next formatter and writes nothing.
    format: [[REPORTER, join(resultsDir, REPORTER_OUTPUT)]],
    formatOptions: { resultsDir },
  }
}
