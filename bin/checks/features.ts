import { fileURLToPath } from 'node:url'
import { PROVIDERS } from '../../clusters/registry.ts'
import { runSuite } from '../run/run.ts'
import type { Check } from './check.ts'

/**
 * The acceptance features on the clusters that need nothing; their reports stay apart from those of a real run, and Allure's,
 * which take longer than the features, are left to it.
 */
export const features: Check = {
  name: 'features',
  run: async () => {
    const output: string[] = []
    const { exitCode, scenarios } = await runSuite(
      {
        paths: [],
        provider: embeddedProvider(),
        parallel: 1,
        retry: 0,
        require: [],
        implementation: projectPath('support/reference-implementation.ts'),
        reports: projectPath('reports/checks'),
        configuration: projectPath('cucumber.json'),
        allure: false,
        systemPackages: false,
      },
      { write: (text) => output.push(text) },
    )
    const { passed, skipped } = scenarios
    // What failed outside any scenario must be seen as well.
    const failed = Math.max(scenarios.failed + scenarios.flaky, exitCode === 0 ? 0 : 1)
    return { passed, failed, skipped, output: failed ? output.join('') : '' }
  },
}

function embeddedProvider() {
  const provider = PROVIDERS.find(({ rung }) => rung === 'embedded')
  if (!provider) throw new Error('There is no embedded rung')
  return provider
}

function projectPath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}
