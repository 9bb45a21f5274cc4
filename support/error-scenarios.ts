import { readFileSync } from 'node:fs'
import { ERROR_KINDS, type ErrorCode } from '../src/contract/error-codes.ts'
import type { ErrorScenarioGaps } from './report/computed-criteria.ts'

/** The page that tells people what each error means; written by docs/write-error-scenarios.ts. */
export const ERROR_PAGE = new URL('../docs/error-scenarios.md', import.meta.url)

/** A scenario of a real run that ended with an error, and what the error said there. */
export interface ErrorExample {
  readonly message: string
  readonly scenario: string
  /** Path of its feature. */
  readonly feature: string
}

/** Holds the errors that a run produced against those that the page documents. */
export function errorScenarioGaps(
  produced: readonly { readonly code: string }[],
  page: string = readFileSync(ERROR_PAGE, 'utf8'),
): ErrorScenarioGaps {
  const codes = new Set(produced.map(({ code }) => code))
  const documented = new Set(documentedCodes(page))
  return {
    undocumented: [...codes].filter((code) => !documented.has(code)),
    unproduced: [...documented].filter((code) => !codes.has(code)),
  }
}

/** The codes that have a section on the page. */
export function documentedCodes(page: string): string[] {
  return [...page.matchAll(/^## (\w+)$/gm)].map(([, code]) => code ?? '')
}

/** The page: causes and remedies as the contract has them, messages and scenarios as a run showed them. */
export function renderErrorPage(examples: ReadonlyMap<string, ErrorExample>): string {
  const codes = Object.keys(ERROR_KINDS) as ErrorCode[]
  const sections = codes.map((code) => section(code, examples.get(code)))
  return [PREFACE, ...sections].join('\n\n').concat('\n')
}

const PREFACE = `# Error scenarios

Every error that an operation of the node pool can end with: what it says, why it happens, what to do, and whether the
caller may fall back to a MachineSet. The examples are from a run of the acceptance suite; what differs from run to run is
in angle brackets. Criterion NP-7 holds this page against each run, both ways: every error on it is produced by a scenario,
and no scenario produces another. \`npm run error-page\` writes it anew from the last run.`

function section(code: ErrorCode, example: ErrorExample | undefined): string {
  const { cause, remedy, fallbackAllowed } = ERROR_KINDS[code]
  const shown = example
    ? [`> ${general(example.message)}`, '', `Shown by “${example.scenario}” (${example.feature}).`]
    : ['No scenario of the last run ended with it.']
  return [
    `## ${code}`,
    '',
    ...shown,
    '',
    `- Cause: ${cause}`,
    `- Remedy: ${remedy}`,
    `- Fallback: ${fallbackAllowed ? 'allowed' : 'forbidden'}`,
  ].join('\n')
}

/** What differs from run to run, replaced by what it stands for. */
function general(message: string): string {
  return message
    .replaceAll(/\bpw-[0-9a-f]{10}(-[0-9a-z-]+)?/g, '<namespace>')
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replaceAll(/\bwaiting [\d, ]+ ms/g, 'waiting <n> ms')
    .replaceAll(/\s*\n\s*/g, ' ')
}
