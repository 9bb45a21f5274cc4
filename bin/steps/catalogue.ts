import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { loadConfiguration, runCucumber } from '@cucumber/cucumber/api'
import type { Envelope, ParameterType, StepDefinition } from '@cucumber/messages'
import { docComment } from './doc-comment.ts'

/** A step that scenarios can be written with. */
export interface CataloguedStep {
  /** The name of its file: `machine-set`. */
  readonly noun: string
  readonly keyword: string
  readonly pattern: string
  /** The comment above its definition; empty where there is none. */
  readonly doc: string
  readonly file: string
  readonly line: number
  /** The first use of it; absent where no feature uses it. */
  readonly example?: { readonly text: string; readonly feature: string; readonly line: number }
}

/** What stands for a value in the patterns: `{address}`. */
export interface CataloguedParameter {
  readonly name: string
  readonly expressions: readonly string[]
  readonly doc: string
}

export interface Catalogue {
  readonly steps: readonly CataloguedStep[]
  readonly parameters: readonly CataloguedParameter[]
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** All that steps are made of, without the hooks, which want a run. */
const SUPPORT = ['support/parameter-types.ts', 'steps/**/!(*.test).ts']

/** Reads the suite's steps as Cucumber sees them: it goes through all features without running anything. */
export async function readCatalogue(): Promise<Catalogue> {
  const envelopes = await dryRun()
  const examples = firstUses(envelopes)
  return {
    steps: envelopes.flatMap(({ stepDefinition }) =>
      stepDefinition ? [describeStep(stepDefinition, examples)] : [],
    ),
    parameters: envelopes.flatMap(({ parameterType }) =>
      parameterType ? [describeParameter(parameterType)] : [],
    ),
  }
}

async function dryRun(): Promise<readonly Envelope[]> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const environment = { cwd: ROOT, stdout: silent, stderr: silent }
  const { runConfiguration } = await loadConfiguration(
    { file: false, provided: { paths: ['features'], import: SUPPORT, dryRun: true } },
    environment,
  )
  const envelopes: Envelope[] = []
  await runCucumber(runConfiguration, environment, (envelope) => envelopes.push(envelope as Envelope))
  return envelopes
}

type Example = NonNullable<CataloguedStep['example']>

/** By the id of the definition, in the order of the files. */
function firstUses(envelopes: readonly Envelope[]): ReadonlyMap<string, Example> {
  const pickles = new Map(envelopes.flatMap(({ pickle }) => (pickle ? [[pickle.id, pickle]] : [])))
  const uses = envelopes.flatMap(({ testCase }) => {
    const pickle = pickles.get(testCase?.pickleId ?? '')
    return (testCase?.testSteps ?? []).flatMap(({ pickleStepId, stepDefinitionIds = [] }) => {
      const step = pickle?.steps.find(({ id }) => id === pickleStepId)
      if (!pickle || !step) return []
      const example = { text: step.text, feature: pickle.uri, line: pickle.location?.line ?? 0 }
      return stepDefinitionIds.map((id) => ({ id, example }))
    })
  })
  const inOrder = uses.toSorted(
    (a, b) => a.example.feature.localeCompare(b.example.feature) || a.example.line - b.example.line,
  )
  const first = new Map<string, Example>()
  for (const { id, example } of inOrder) if (!first.has(id)) first.set(id, example)
  return first
}

function describeStep(
  { id, pattern, sourceReference }: StepDefinition,
  examples: ReadonlyMap<string, Example>,
): CataloguedStep {
  const { uri: file = '', location } = sourceReference
  const line = location?.line ?? 0
  const source = lines(file)
  const example = examples.get(id)
  return {
    noun: basename(file, '.ts'),
    keyword: /\b(?:Given|When|Then)\b/.exec(source[line - 1] ?? '')?.[0] ?? '',
    pattern: pattern.source,
    doc: docComment(source, line),
    file,
    line,
    ...(example && { example }),
  }
}

function describeParameter({
  name,
  regularExpressions,
  sourceReference,
}: ParameterType): CataloguedParameter {
  const { uri = '', location } = sourceReference ?? {}
  return { name, expressions: regularExpressions, doc: docComment(lines(uri), location?.line ?? 0) }
}

function lines(file: string): readonly string[] {
  return readFileSync(join(ROOT, file), 'utf8').split('\n')
}
