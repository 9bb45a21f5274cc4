import { type Cell, claimsOf } from './cell-tags.ts'
import { COMPUTED_RULES, criterionOfRule, type ErrorScenarioGaps } from './computed-criteria.ts'
import type { Criterion, Family } from './criteria.ts'
import type { RunRecord, Scenario, Verdict } from './model.ts'
import { type Judgement, judgeScenario, worst } from './verdicts.ts'

export interface JudgedScenario extends Judgement {
  readonly scenario: Scenario
  readonly cells: readonly Cell[]
}

export interface CellResult extends Judgement {
  readonly name: string
  readonly scenarios: readonly JudgedScenario[]
}

export interface CriterionResult {
  readonly criterion: Criterion
  readonly verdict: Verdict
  readonly cells: readonly CellResult[]
}

export interface FamilyResult {
  readonly family: Family
  readonly criteria: readonly CriterionResult[]
}

export interface Matrix {
  readonly families: readonly FamilyResult[]
  readonly scenarios: readonly JudgedScenario[]
  /** Tags that claim what the acceptance list does not know. */
  readonly tagErrors: readonly string[]
}

const NO_SCENARIO = 'no scenario names this cell'

/** Holds the acceptance list against a run: every cell of the list is in it, whatever ran. */
export function buildMatrix(
  families: readonly Family[],
  run: RunRecord,
  options: {
    readonly interrupted: boolean
    readonly errorGaps: ErrorScenarioGaps
    /** Scenarios of features that the run did not read. */
    readonly leftOut?: readonly Scenario[]
  },
): Matrix {
  const criteria = new Map(
    families.flatMap((family) => family.criteria).map((criterion) => [criterion.id, criterion]),
  )
  const judge = (scenario: Scenario) => {
    const { cells, errors } = claimsOf(scenario, criteria)
    const judged = { scenario, cells, ...judgeScenario(scenario, options.interrupted) }
    return { judged, errors: errors.map((error) => `${scenario.uri}:${scenario.line}: ${error}`) }
  }
  const read = run.scenarios.map(judge)
  const tagErrors = read.flatMap(({ errors }) => errors)
  const scenarios = [...read, ...(options.leftOut ?? []).map(judge)].map(({ judged }) => judged)
  const claimants = groupByCell(scenarios)
  const judged = judgeCells(families, claimants, options.errorGaps)
  const results = families.map((family) => ({
    family,
    criteria: family.criteria.map((criterion) => resultOf(criterion, judged, claimants)),
  }))
  return { families: results, scenarios, tagErrors: [...new Set(tagErrors)] }
}

function groupByCell(scenarios: readonly JudgedScenario[]): Map<string, JudgedScenario[]> {
  const groups = new Map<string, JudgedScenario[]>()
  for (const judged of scenarios) {
    for (const key of new Set(judged.cells.map(({ criterion, cell }) => `${criterion}.${cell}`))) {
      groups.set(key, [...(groups.get(key) ?? []), judged])
    }
  }
  return groups
}

function judgeCells(
  families: readonly Family[],
  claimants: ReadonlyMap<string, readonly JudgedScenario[]>,
  errorGaps: ErrorScenarioGaps,
): ReadonlyMap<string, Judgement> {
  const judged = new Map<string, Judgement>()
  for (const criterion of families.flatMap((family) => family.criteria)) {
    if (criterion.computed) continue
    for (const cell of criterion.cells) {
      const key = `${criterion.id}.${cell}`
      judged.set(key, worst(claimants.get(key) ?? [], NO_SCENARIO))
    }
  }
  for (const [rule, judge] of COMPUTED_RULES) {
    const criterion = criterionOfRule(families, rule)
    if (criterion) judged.set(`${criterion.id}.computed`, judge({ families, judged, errorGaps }))
  }
  return judged
}

function resultOf(
  criterion: Criterion,
  judged: ReadonlyMap<string, Judgement>,
  claimants: ReadonlyMap<string, readonly JudgedScenario[]>,
): CriterionResult {
  const cells = criterion.cells.map((name) => {
    const key = `${criterion.id}.${name}`
    const judgement = judged.get(key) ?? { verdict: 'missing' as const, reason: NO_SCENARIO }
    return { name, ...judgement, scenarios: claimants.get(key) ?? [] }
  })
  return { criterion, verdict: worst(cells, NO_SCENARIO).verdict, cells }
}
