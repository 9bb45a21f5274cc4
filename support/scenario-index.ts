import type { FormatterPluginContext } from '@cucumber/cucumber/api'

/** One message of a Cucumber run. */
export type Envelope = Parameters<Parameters<FormatterPluginContext<unknown>['on']>[1]>[0]
type Pickle = NonNullable<Envelope['pickle']>
type TestStep = NonNullable<Envelope['testCase']>['testSteps'][number]

/** A test case put together from the messages that describe it, each of which names the others by id only. */
export interface IndexedScenario {
  readonly id: string
  readonly name: string
  readonly location: string
  /** It has no steps, so it proves nothing. */
  readonly empty: boolean
  /** Text and location of a test step, or which hook it is. */
  describe(testStepId: string): { readonly text: string; readonly location: string }
}

/** Collects what Cucumber announces before it runs, so that a running step can be named as a person would. */
export class ScenarioIndex {
  readonly #pickles = new Map<string, Pickle>()
  readonly #lines = new Map<string, number>()
  readonly #hooks = new Map<string, string>()
  readonly #scenarios = new Map<string, IndexedScenario>()

  take({ gherkinDocument, pickle, hook, testCase }: Envelope): void {
    if (gherkinDocument) this.#takeLines(gherkinDocument)
    if (pickle) this.#pickles.set(pickle.id, pickle)
    if (hook) this.#hooks.set(hook.id, hook.name ?? hook.type?.toLowerCase().replaceAll('_', ' ') ?? 'hook')
    if (testCase) {
      const found = this.#pickles.get(testCase.pickleId)
      if (found) this.#scenarios.set(testCase.id, this.#scenario(testCase.id, found, testCase.testSteps))
    }
  }

  scenario(testCaseId: string): IndexedScenario | undefined {
    return this.#scenarios.get(testCaseId)
  }

  #scenario(id: string, pickle: Pickle, testSteps: readonly TestStep[]): IndexedScenario {
    const location = place(pickle.uri, pickle.location?.line)
    return {
      id,
      name: pickle.name,
      location,
      empty: pickle.steps.length === 0,
      describe: (testStepId) => {
        const step = testSteps.find((candidate) => candidate.id === testStepId)
        const pickleStep = pickle.steps.find((candidate) => candidate.id === step?.pickleStepId)
        if (!pickleStep) return { text: this.#hooks.get(step?.hookId ?? '') ?? 'hook', location }
        return {
          text: pickleStep.text,
          location: place(pickle.uri, this.#lines.get(pickleStep.astNodeIds[0] ?? '')),
        }
      },
    }
  }

  /** Every node of the document that has an id and a line; where it sits in the tree doesn't matter here. */
  #takeLines(node: object): void {
    if ('id' in node && typeof node.id === 'string' && 'location' in node) {
      this.#lines.set(node.id, (node.location as { line: number }).line)
    }
    for (const child of Object.values(node)) {
      if (typeof child === 'object' && child !== null) this.#takeLines(child)
    }
  }
}

function place(uri: string, line: number | undefined): string {
  return line === undefined ? uri : `${uri}:${line}`
}
