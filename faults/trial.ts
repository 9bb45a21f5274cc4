import { UsageError } from '../src/contract/errors.ts'
import type { Fault } from './fault.ts'
import { type Finding, judge, judgeTests } from './judge.ts'
import { runTests, type TestRequest } from './named-tests.ts'
import { type Copy, openProducts, type Products } from './product.ts'
import { type ProvingScenario, runCells, runScenarios, type SuiteRequest } from './suite.ts'

export interface Trial {
  readonly root: string
  readonly rung: string
  /** How many faults are tried side by side. */
  readonly width: number
  readonly signal: AbortSignal
  readonly say: (line: string) => void
  /** Told of each finding as soon as it is there. */
  readonly report: (fault: Fault, finding: Finding, seconds: number) => void
}

/** Plants every fault and runs its tests and scenarios; findings in the order of the faults. Throws when there is nothing to judge by. */
export async function tryFaults(faults: readonly Fault[], trial: Trial): Promise<Finding[]> {
  const products = await openProducts(trial.root)
  try {
    const planted = await plantAll(faults, products, trial)
    await requireGreenTests(faults, products, trial)
    const scenarios = await requireGreenScenarios(faults, products, trial)
    return await inTurn(faults, trial.width, async (fault) => {
      const startedAt = performance.now()
      const finding = await tryFault(fault, planted.get(fault), { ...trial, products, scenarios })
      trial.report(fault, finding, (performance.now() - startedAt) / 1000)
      return finding
    })
  } finally {
    await products.remove()
  }
}

/** What came of planting a fault: a copy to test, or a patch to mend. */
type Planted = Awaited<ReturnType<Products['plant']>>

async function plantAll(
  faults: readonly Fault[],
  products: Products,
  { width, signal }: Trial,
): Promise<ReadonlyMap<Fault, Planted>> {
  const planted = await inTurn(faults, width, (fault) => products.plant(fault))
  const said = await products.compile(signal)
  return new Map(
    faults.map((fault, index) => {
      const problem = said.get(fault.name)
      const there = planted[index] ?? { problem: 'it was not planted' }
      return [fault, problem === undefined || 'problem' in there ? there : { problem }]
    }),
  )
}

/** A suite that is red by itself would seem to catch everything. */
async function requireGreenScenarios(
  faults: readonly Fault[],
  products: Products,
  trial: Trial,
): Promise<readonly ProvingScenario[]> {
  const cells = [...new Set(faults.flatMap((fault) => fault.cells))]
  if (cells.length === 0) return []
  const request = suiteRequest(trial, products, await products.unpatched('scenarios'))
  const { exitCode, output, scenarios } = await runCells({ ...request, parallel: trial.width }, cells)
  if (exitCode !== 0) throw new UsageError(`The unpatched suite is not green:\n${output}`)
  const unproven = cells.find((cell) => !scenarios.some((each) => each.cells.includes(cell)))
  if (unproven) throw new UsageError(`No scenario ran for ${unproven}, which a fault names:\n${output}`)
  trial.say(`baseline green: ${scenarios.length} scenarios of ${cells.length} cells on ${trial.rung}`)
  return scenarios
}

/** So would a test. */
async function requireGreenTests(faults: readonly Fault[], products: Products, trial: Trial): Promise<void> {
  const tests = faults.flatMap((fault) => fault.tests)
  if (tests.length === 0) return
  const request = testRequest(trial, products, await products.unpatched('tests'))
  const files = Map.groupBy(tests, ({ file }) => file)
  const ends = await inTurn([...files.values()], trial.width, (ofOne) => runTests(request, ofOne))
  const red = ends.flat().find(({ outcome }) => outcome !== 'passed')
  if (red) throw new UsageError(`The unpatched test "${red.name}" is not green: ${red.message}`)
  trial.say(`baseline green: ${ends.flat().length} tests of ${files.size} files`)
}

interface Trying extends Trial {
  readonly products: Products
  /** What the cells' scenarios are. */
  readonly scenarios: readonly ProvingScenario[]
}

async function tryFault(fault: Fault, planted: Planted | undefined, trying: Trying): Promise<Finding> {
  const { products, scenarios: known } = trying
  if (!planted || 'problem' in planted)
    return { caught: false, why: `the patch must be mended: ${planted?.problem}` }
  if (fault.tests.length > 0) {
    const finding = judgeTests(await runTests(testRequest(trying, products, planted), fault.tests))
    if (finding.caught || fault.cells.length === 0) return finding
  }
  const proving = known.filter(({ cells }) => cells.some((cell) => fault.cells.includes(cell)))
  const { scenarios } = await runScenarios(suiteRequest(trying, products, planted), proving)
  return judge(scenarios.map(({ scenario }) => scenario))
}

function suiteRequest(
  { root, rung, signal }: Trial,
  { compileCache }: Products,
  { implementation }: Copy,
): SuiteRequest {
  return { root, rung, implementation, compileCache, signal }
}

function testRequest({ signal }: Trial, { compileCache }: Products, { directory }: Copy): TestRequest {
  return { directory, compileCache, signal }
}

/** Works through the items with so many at a time, results in the order of the items. Ends when all work has ended. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const turns = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of turns) results[index] = await work(item)
  }
  const ends = await Promise.allSettled(Array.from({ length: width }, worker))
  const broken = ends.find((end) => end.status === 'rejected')
  if (broken) throw broken.reason
  return results
}
