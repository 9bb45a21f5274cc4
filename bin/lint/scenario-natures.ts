import { isAbsolute, relative } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { loadConfiguration, loadSupport, runCucumber } from '@cucumber/cucumber/api'
import type { Envelope, PickleStep } from '@cucumber/messages'
import { UsageError } from '../../src/contract/errors.ts'
import { nearestPatterns } from '../../support/nearest-patterns.ts'
import type { StepNature } from '../../support/safety/changing-steps.ts'

/** A scenario, or a row of an outline, and what its steps say that they change. */
export interface ScenarioNature {
  readonly name: string
  /** `features/pool/set-byoh.feature:12`. */
  readonly place: string
  readonly tags: readonly string[]
  /** Steps that change something, each with the place of its definition, `Given a taint (steps/taint.ts:7)`. */
  readonly changing: Readonly<Record<StepNature['changes'], readonly string[]>>
  /** Of its steps, with their tables and doc strings. */
  readonly texts: readonly string[]
  /** Steps that no definition fits, each with the patterns that are nearest to it. */
  readonly unknown: readonly { readonly step: string; readonly nearest: readonly string[] }[]
}

/** What steps are made of and where features are; paths are relative to the root. */
export interface Suite {
  readonly root: string
  readonly support: readonly string[]
}

/** The project's own, without the hooks, which want a run. */
const OWN_SUITE: Suite = {
  root: fileURLToPath(new URL('../..', import.meta.url)),
  support: ['support/parameter-types.ts', 'steps/**/!(*.test).ts'],
}

/** Reads scenarios and step definitions as Cucumber sees them, without running anything. Throws UsageError. */
export async function readNatures(
  paths: readonly string[],
  { root, support }: Suite = OWN_SUITE,
): Promise<readonly ScenarioNature[]> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const environment = { cwd: root, stdout: silent, stderr: silent }
  const provided = { paths: [...paths], import: [...support], dryRun: true }
  const { runConfiguration } = await loadConfiguration({ file: false, provided }, environment)
  const library = await loadSupport(runConfiguration, environment)
  const envelopes: Envelope[] = []
  await runCucumber({ ...runConfiguration, support: library }, environment, (envelope) =>
    envelopes.push(envelope as Envelope),
  )
  const [wrong] = envelopes.flatMap(({ parseError }) => (parseError ? [parseError] : []))
  if (wrong) throw new UsageError(`${wrong.source.uri ?? 'a feature'} does not parse: ${wrong.message}`)
  return toNatures(envelopes, definitionsOf(library), root)
}

interface Definition {
  readonly id: string
  readonly uri: string
  readonly line: number
  readonly pattern: string | RegExp
  readonly options: { readonly wrapperOptions?: Partial<StepNature> }
}

interface Definitions {
  /** Definitions that say that they change something, and what, by their ids. */
  readonly changing: ReadonlyMap<string, { readonly what: StepNature['changes']; readonly place: string }>
  readonly patterns: readonly string[]
}

function definitionsOf(library: object): Definitions {
  // The library's type is Cucumber's own and says nothing; these fields are what every definition is made with.
  const { stepDefinitions } = library as { readonly stepDefinitions: readonly Definition[] }
  return {
    changing: new Map(
      stepDefinitions.flatMap(({ id, uri, line, options }) => {
        const what = options.wrapperOptions?.changes
        return what ? [[id, { what, place: `${uri}:${line}` }]] : []
      }),
    ),
    patterns: stepDefinitions.map(({ pattern }) => (typeof pattern === 'string' ? pattern : pattern.source)),
  }
}

function toNatures(
  envelopes: readonly Envelope[],
  { changing, patterns }: Definitions,
  root: string,
): readonly ScenarioNature[] {
  const pickles = new Map(envelopes.flatMap(({ pickle }) => (pickle ? [[pickle.id, pickle]] : [])))
  return envelopes.flatMap(({ testCase }) => {
    const pickle = pickles.get(testCase?.pickleId ?? '')
    if (!testCase || !pickle) return []
    const changes = testCase.testSteps.flatMap(({ pickleStepId, stepDefinitionIds = [] }) => {
      const [definition] = stepDefinitionIds.flatMap((id) => changing.get(id) ?? [])
      const step = pickle.steps.find(({ id }) => id === pickleStepId)
      return definition && step
        ? [{ what: definition.what, step: `"${step.text}" (${definition.place})` }]
        : []
    })
    const stepsThatChange = (wanted: StepNature['changes']): readonly string[] =>
      changes.filter(({ what }) => what === wanted).map(({ step }) => step)
    const unknown = testCase.testSteps.flatMap(({ pickleStepId, stepDefinitionIds = [] }) => {
      const step = pickle.steps.find(({ id }) => id === pickleStepId)
      if (!step || stepDefinitionIds.length > 0) return []
      return [{ step: step.text, nearest: nearestPatterns(step.text, patterns) }]
    })
    const uri = isAbsolute(pickle.uri) ? relative(root, pickle.uri) : pickle.uri
    return {
      name: pickle.name,
      place: `${uri}:${pickle.location?.line ?? 0}`,
      tags: pickle.tags.map(({ name }) => name),
      changing: { cluster: stepsThatChange('cluster'), 'windows-hosts': stepsThatChange('windows-hosts') },
      texts: pickle.steps.flatMap(textsOf),
      unknown,
    }
  })
}

function textsOf({ text, argument }: PickleStep): readonly string[] {
  const cells = argument?.dataTable?.rows.flatMap((row) => row.cells.map(({ value }) => value)) ?? []
  return [text, ...cells, argument?.docString?.content ?? '']
}
