import { type Cell, claimsOf } from '../cell-tags.ts'
import type { Criterion, Family } from '../criteria.ts'
import type { AllureLabel, AllureResult } from './result.ts'

/** Replaced by ours, or nobody's business: the name of the machine. */
const DROPPED = ['epic', 'feature', 'story', 'host', 'parentSuite', 'suite']

/** Files a result under the acceptance list: epic is the family, feature the criterion, story the cell. */
export function fileUnderCriteria(result: AllureResult, families: readonly Family[]): void {
  const criteria = new Map(families.flatMap(({ criteria }) => criteria.map((each) => [each.id, each])))
  const old = result.labels ?? []
  const tags = old.filter(({ name }) => name === 'tag').map(({ value }) => value)
  const example = Object.fromEntries((result.parameters ?? []).map(({ name, value }) => [name, value]))
  const { cells } = claimsOf({ tags, example }, criteria)
  const title = result.titlePath?.at(-1)
  const own = cells.length > 0 ? cells.flatMap((cell) => cellLabels(cell, families)) : otherLabels(title)
  const labels = [...own, ...suiteLabels(result.titlePath)]
  result.labels = [...old.filter(({ name }) => !DROPPED.includes(name)), ...distinct(labels)]
  result.links = cells.map(({ criterion, cell }) => acceptanceLink(`${criterion}.${cell}`))
}

function cellLabels({ criterion: id, cell }: Cell, families: readonly Family[]): AllureLabel[] {
  const family = families.find(({ criteria }) => criteria.some((each) => each.id === id))
  const criterion = family?.criteria.find((each) => each.id === id)
  return [
    { name: 'epic', value: family ? `${family.id}: ${family.title}` : id },
    { name: 'feature', value: criterion ? titleOf(criterion) : id },
    { name: 'story', value: `${id}.${cell}` },
  ]
}

function titleOf({ id, text }: Criterion): string {
  return `${id}: ${text}`
}

function otherLabels(feature: string | undefined): AllureLabel[] {
  const label = { name: 'epic', value: 'Beyond the acceptance list' }
  return feature === undefined ? [label] : [label, { name: 'feature', value: feature }]
}

/** Its folder and its feature, as the feature files lie. */
function suiteLabels(path: readonly string[] = []): AllureLabel[] {
  const [suite, folder] = [path.at(-1), path.slice(0, -1).join('/')]
  return [
    ...(folder ? [{ name: 'parentSuite', value: folder }] : []),
    ...(suite ? [{ name: 'suite', value: suite }] : []),
  ]
}

function acceptanceLink(cell: string): { name: string; url: string; type: string } {
  return { name: `${cell} in the acceptance report`, url: `../acceptance.html#${cell}`, type: 'custom' }
}

function distinct(labels: readonly AllureLabel[]): AllureLabel[] {
  const seen = new Map(labels.map((label) => [`${label.name} ${label.value}`, label]))
  return [...seen.values()]
}
