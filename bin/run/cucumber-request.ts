import { basename, dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { IConfiguration } from '@cucumber/cucumber/api'
import { allureCucumberOptions } from '../../support/report/allure/cucumber-options.ts'
import { reportPaths } from './reports.ts'
import type { RunRequest } from './run-request.ts'

/** What Cucumber's process is told when it starts. Plain data. */
export interface CucumberRequest {
  /** Where paths in the configuration and in messages are relative to. */
  readonly root: string
  /** The suite's own Cucumber configuration, which says where its steps are; relative to the root. */
  readonly configuration: string
  /** Feature files, folders or `file:line`; empty means the suite's own features. */
  readonly paths: readonly string[]
  /** Path of an implementation that is not known to be one. */
  readonly unproven?: string
  /** What this run adds to it. */
  readonly provided: Partial<IConfiguration>
}

/** The suite's own implementation, which the compiler holds to the contract; loading it costs half a second. */
export const REFERENCE = support('reference-implementation.ts')

/** Says in Cucumber's terms what to run and which formatters write the reports. */
export function cucumberRequest(request: RunRequest): CucumberRequest {
  const { messages } = reportPaths(request.reports)
  const allure = request.allure ? allureCucumberOptions(request.reports) : { format: [], formatOptions: {} }
  return {
    root: dirname(request.configuration),
    configuration: basename(request.configuration),
    paths: request.paths,
    ...(request.implementation !== REFERENCE && { unproven: request.implementation }),
    provided: {
      ...(request.tags === undefined ? {} : { tags: request.tags }),
      // Cucumber's 0 runs in its own thread.
      parallel: request.parallel > 1 ? request.parallel : 0,
      // One worker keeps to the features' own order.
      plugin: request.parallel > 1 ? [pathToFileURL(support('good-order-plugin.ts')).href] : [],
      retry: request.retry,
      format: [[support('progress-formatter.ts')], ['message', messages], ...allure.format],
      formatOptions: allure.formatOptions,
    },
  }
}

function support(file: string): string {
  return fileURLToPath(new URL(`../../support/${file}`, import.meta.url))
}
