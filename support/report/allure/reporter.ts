import type { IFormatterOptions } from '@cucumber/cucumber'
import AllureCucumberReporter from 'allure-cucumberjs/reporter'
import { CompletedResults } from './completed-results.ts'

// Its types describe the CommonJS build, where the class stands one level deeper than in the module that is loaded.
const Reporter = AllureCucumberReporter as unknown as typeof AllureCucumberReporter.default

/** Allure's reporter for Cucumber, with a writer of ours: what stands in `formatOptions` replaces its own. */
export default class ResultsReporter extends Reporter {
  constructor(options: IFormatterOptions) {
    const { resultsDir } = options.parsedArgvOptions as { resultsDir: string }
    const writer = new CompletedResults(resultsDir)
    super({ ...options, parsedArgvOptions: { ...options.parsedArgvOptions, writer } })
  }
}
