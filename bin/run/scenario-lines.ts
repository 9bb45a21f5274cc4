import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { AstBuilder, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin'
import { type Examples, type GherkinDocument, IdGenerator, type Scenario } from '@cucumber/messages'
import { UsageError } from '../../src/contract/errors.ts'

/** Lines of a feature that belong together, and those by which Cucumber knows what to run for them. */
interface Span {
  readonly first: number
  readonly last: number
  /** The line of the scenario that they are part of. */
  readonly scenario: number
  readonly runs: readonly number[]
}

/**
 * Paths whose `:line` is one that Cucumber knows: it takes a scenario's own line or that of an example row, and here any
 * line from a scenario's tags to its end is that scenario's. Throws a UsageError for a line that is in none.
 */
export function atScenarios(paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map(atScenario))
}

async function atScenario(path: string): Promise<string> {
  const [, file = '', lines = ''] = /^(.*\.feature)((?::\d+)+)$/s.exec(path) ?? []
  if (!lines) return path
  const spans = await readSpans(file)
  // It does not parse: whoever reads it to run it says so best.
  if (!spans) return path
  const runs = lines
    .slice(1)
    .split(':')
    .flatMap((line) => runsAt(file, Number(line), spans))
  return `${file}:${[...new Set(runs)].join(':')}`
}

function runsAt(file: string, line: number, spans: readonly Span[]): readonly number[] {
  const [narrowest] = spans
    .filter(({ first, last }) => first <= line && line <= last)
    .toSorted((a, b) => a.last - a.first - (b.last - b.first))
  if (narrowest) return narrowest.runs
  const known = [...new Set(spans.map(({ scenario }) => scenario))]
  const where = relative(process.cwd(), file)
  throw new UsageError(
    `line ${line} of ${where} is in no scenario: ${known.length > 0 ? `they are at ${known.join(', ')}` : 'it has none'}`,
  )
}

async function readSpans(file: string): Promise<readonly Span[] | undefined> {
  try {
    const builder = new AstBuilder(IdGenerator.incrementing())
    const document = new Parser(builder, new GherkinClassicTokenMatcher()).parse(await readFile(file, 'utf8'))
    return scenariosOf(document).flatMap(spansOf)
  } catch {
    return undefined
  }
}

function scenariosOf({ feature }: GherkinDocument): readonly Scenario[] {
  const children = (feature?.children ?? []).flatMap((child) => child.rule?.children ?? [child])
  return children.flatMap(({ scenario }) => scenario ?? [])
}

/** The scenario's own, that of each Examples section, and that of each row. */
function spansOf(outline: Scenario): readonly Span[] {
  const scenario = outline.location.line
  const own = { ...extent(outline), scenario, runs: [scenario] }
  return [own, ...outline.examples.flatMap((examples) => examplesSpans(examples, scenario))]
}

function examplesSpans(examples: Examples, scenario: number): readonly Span[] {
  const lines = examples.tableBody.map(({ location }) => location.line)
  const rows = lines.map((line) => ({ first: line, last: line, scenario, runs: [line] }))
  return lines.length > 0 ? [{ ...extent(examples), scenario, runs: lines }, ...rows] : []
}

/** From the first line that anything in it is on to the last. */
function extent(node: object): { readonly first: number; readonly last: number } {
  const lines = linesIn(node)
  return { first: Math.min(...lines), last: Math.max(...lines) }
}

function linesIn(node: object): readonly number[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'docString' && value) return [endOf(value)]
    if (typeof value !== 'object' || value === null) return []
    return key === 'location' ? [(value as Scenario['location']).line] : linesIn(value)
  })
}

/** The closing delimiter has no location of its own. */
function endOf({ location, content }: { location: Scenario['location']; content: string }): number {
  return location.line + content.split('\n').length + 1
}
