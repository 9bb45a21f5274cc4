import { UsageError } from '../src/contract/errors.ts'
import type { Fault } from './fault.ts'
import { type Finding, judge } from './judge.ts'
import { openProducts, type Products } from './product.ts'
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

/** Plants every fault and runs its scenarios; findings in the order of the faults. Throws when there is nothing to judge by. */
export async function tryFaults(faults: readonly Fault[], trial: Trial): Promise<Finding[]> {
  const products = await openProducts(trial.root)
  try {
    const planted = await plantAll(faults, products, trial)
    const scenarios = await requireGreenBaseline(faults, products, trial)
    return await inTurn(faults, trial.width, async (fault) => {
      const startedAt = performance.now()
      const finding = await tryFault(fault, planted.get(fault), scenarios, trial)
      trial.report(fault, finding, (performance.now() - startedAt) / 1000)
      return finding
    })
  } finally {
    await products.remove()
  }
}

/** What came of planting a fault: a module to test, or a patch to mend. */
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
async function requireGreenBaseline(
  faults: readonly Fault[],
  products: Products,
  trial: Trial,
): Promise<readonly ProvingScenario[]> {
  const cells = [...new Set(faults.flatMap((fault) => fault.cells))]
  const request = requestFor(trial, await products.unpatched())
  const { exitCode, output, scenarios } = await runCells({ ...request, parallel: trial.width }, cells)
  if (exitCode !== 0) throw new UsageError(`The unpatched suite is not green:\n${output}`)
  const unproven = cells.find((cell) => !scenarios.some((each) => each.cells.includes(cell)))
  if (unproven) throw new UsageError(`No scenario ran for ${unproven}, which a fault names:\n${output}`)
  trial.say(`baseline green: ${scenarios.length} scenarios of ${cells.length} cells on ${trial.rung}`)
  return scenarios
}

async function tryFault(
  fault: Fault,
  planted: Planted | undefined,
  known: readonly ProvingScenario[],
  trial: Trial,
): Promise<Finding> {
  if (!planted || 'problem' in planted)
    return { caught: false, why: `the patch must be mended: ${planted?.problem}` }
  const proving = known.filter(({ cells }) => cells.some((cell) => fault.cells.includes(cell)))
  const { scenarios } = await runScenarios(requestFor(trial, planted.implementation), proving)
  return judge(scenarios.map(({ scenario }) => scenario))
}

function requestFor({ root, rung, signal }: Trial, implementation: string): SuiteRequest {
  return { root, rung, implementation, signal }
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
