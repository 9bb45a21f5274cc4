import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateMessages } from '@cucumber/gherkin'
import { IdGenerator, SourceMediaType } from '@cucumber/messages'
import type { Scenario } from './model.ts'
import { readRunRecord } from './run-record.ts'

const OWN_FEATURES = fileURLToPath(new URL('../../features', import.meta.url))

/**
 * Scenarios of feature files that a run did not even read, because it was told which ones to run: without them a cell
 * that has its scenario elsewhere would look like one that nobody wrote a scenario for.
 */
export async function leftOutScenarios(
  folder: string | undefined,
  read: readonly Scenario[],
): Promise<Scenario[]> {
  const features = folder !== undefined && existsSync(folder) ? folder : OWN_FEATURES
  const known = new Set(read.map(({ uri }) => uri))
  const scenarios: Scenario[] = []
  for (const path of (await Array.fromAsync(glob('**/*.feature', { cwd: features }))).sort()) {
    // As Cucumber writes it: from the folder that the features are in.
    const uri = relative(dirname(features), join(features, path)).replaceAll(sep, '/')
    if (!known.has(uri)) scenarios.push(...scenariosOf(await readFile(join(features, path), 'utf8'), uri))
  }
  return scenarios.map((scenario, index) => ({ ...scenario, id: `left-out-${index + 1}`, selected: false }))
}

function scenariosOf(text: string, uri: string): readonly Scenario[] {
  const envelopes = generateMessages(text, uri, SourceMediaType.TEXT_X_CUCUMBER_GHERKIN_PLAIN, {
    newId: IdGenerator.uuid(),
    includeGherkinDocument: true,
    includePickles: true,
  })
  return readRunRecord(envelopes).scenarios
}
