import { UsageError } from '../src/contract/errors.ts'
import type { Fault } from './fault.ts'
import { type Finding, judge } from './judge.ts'
import { type ProvingScenario, runCells, runScenarios } from './suite.ts'
import { NotPlanted, type Workspace, whilePlanted } from './workspace.ts'

/** Tries every fault, each workspace taking the next one when it is free; findings in the order of the faults. */
export async function tryAll(
  faults: readonly Fault[],
  rung: string,
  workspaces: readonly Workspace[],
  report: (fault: Fault, finding: Finding, seconds: number) => void,
  signal: AbortSignal,
): Promise<Finding[]> {
  const [first] = workspaces
  if (!first) return []
  const scenarios = await requireGreenBaseline(first, faults, rung, workspaces.length, signal)
  const findings: Finding[] = []
  const turns = faults.entries()
  const work = async (workspace: Workspace): Promise<void> => {
    for (const [index, fault] of turns) {
      const startedAt = performance.now()
      const finding = await tryFault(fault, workspace, scenarios, signal)
      findings[index] = finding
      report(fault, finding, (performance.now() - startedAt) / 1000)
    }
  }
  // All of them, also when one breaks: nobody may still work in a copy that is removed.
  const ends = await Promise.allSettled(workspaces.map(work))
  const broken = ends.find((end) => end.status === 'rejected')
  if (broken) throw broken.reason
  return findings
}

/** A suite that is red by itself would seem to catch everything. */
async function requireGreenBaseline(
  workspace: Workspace,
  faults: readonly Fault[],
  rung: string,
  parallel: number,
  signal: AbortSignal,
): Promise<readonly ProvingScenario[]> {
  const cells = [...new Set(faults.flatMap((fault) => fault.cells))]
  const { exitCode, output, scenarios } = await runCells(workspace, rung, cells, parallel, signal)
  if (exitCode !== 0) throw new UsageError(`The unpatched suite is not green:\n${output}`)
  const unproven = cells.find((cell) => !scenarios.some((each) => each.cells.includes(cell)))
  if (unproven) throw new UsageError(`No scenario ran for ${unproven}, which a fault names:\n${output}`)
  console.log(`baseline green: ${scenarios.length} scenarios of ${cells.length} cells on ${rung}`)
  return scenarios
}

async function tryFault(
  fault: Fault,
  workspace: Workspace,
  known: readonly ProvingScenario[],
  signal: AbortSignal,
): Promise<Finding> {
  const proving = known.filter(({ cells }) => cells.some((cell) => fault.cells.includes(cell)))
  try {
    return await whilePlanted(fault, workspace, signal, async () => {
      const { scenarios } = await runScenarios(workspace, fault.rung, proving, signal)
      return judge(scenarios.map(({ scenario }) => scenario))
    })
  } catch (error) {
    if (error instanceof NotPlanted) return { caught: false, why: error.message }
    throw error
  }
}
