import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunContext } from '../../run-context.ts'

/** Kinds of outcome that a reader looks for, in Allure's own terms. */
const CATEGORIES = [
  { name: 'A law does not hold: an assertion failed', matchedStatuses: ['failed'] },
  {
    name: 'Broken: an error outside any assertion, or a step without definition',
    matchedStatuses: ['broken'],
  },
  { name: 'Flaky: passed only on another try', matchedStatuses: ['passed'], flaky: true },
  { name: 'Skipped: the cluster lacks what the scenario needs', matchedStatuses: ['skipped'] },
]

/** Leaves what Allure's front page says about the run as a whole: where, on what, which sources. */
export async function writeRunMetadata(folder: string, context: RunContext): Promise<void> {
  const environment = {
    Rung: context.rung,
    Kubernetes: context.version,
    'Stand-ins': context.standIns.join('; ') || 'none',
    'Git commit': context.commit || 'not from a git repository',
    'Node.js': process.version,
    Run: context.runId,
    Started: context.startedAt,
  }
  const executor = {
    name: 'Poolwright',
    type: 'poolwright',
    buildName: context.runId,
    reportName: context.rung,
  }
  await Promise.all([
    writeFile(join(folder, 'environment.properties'), properties(environment)),
    writeFile(join(folder, 'executor.json'), JSON.stringify(executor)),
    writeFile(join(folder, 'categories.json'), JSON.stringify(CATEGORIES)),
  ])
}

/** Java's own format: ISO 8859-1, with separators of keys and anything beyond escaped. */
function properties(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${escaped(key).replaceAll(/[ :=]/g, '\\$&')}=${escaped(value)}\n`)
    .join('')
}

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
