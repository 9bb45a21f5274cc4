import type { Category } from '../load-vectors.ts'
import { laterReason } from '../scope/scope.ts'
import type { Omission } from './omissions.ts'
import type { Refusal } from './probes.ts'
import type { VersionGap } from './unserved.ts'

export interface Gaps {
  readonly versions: readonly VersionGap[]
  readonly refusals: readonly Refusal[]
  readonly omissions: readonly Omission[]
  readonly categories: readonly Category[]
}

/** docs/gaps.md: what the embedded cluster lacks, in four lists that nobody writes by hand. */
export function renderGaps({ versions, refusals, omissions, categories }: Gaps): string {
  return [
    '# What the embedded cluster lacks',
    '',
    'Written by `npm run gaps` from the server’s own tables, from what it answers, and from the recordings; `npm test` fails',
    'when it is stale. What is asked for and not implemented is refused with a proper `Status`, never accepted and ignored.',
    '',
    '## Resources',
    '',
    'All that Kubernetes v1.36 serves by default. What is refused answers 501 `NotImplemented`; any other path answers 404, as it',
    'would there. Resources of custom resource definitions are served with all verbs, and their status.',
    '',
    '| version | served | refused |',
    '| --- | --- | --- |',
    ...versions.map(
      ({ version, served, refused }) => `| ${version} | ${names(served)} | ${names(refused)} |`,
    ),
    '',
    '## Requests refused on what is served',
    '',
    '| what | answer |',
    '| --- | --- |',
    ...refusals.map(({ title, status, message }) => `| ${title} | ${status} ${cell(message)} |`),
    '',
    '## What Kubernetes does unasked, and this does not',
    '',
    '| what | what is seen |',
    '| --- | --- |',
    ...omissions.map(({ title, seen }) => `| ${title} | ${cell(seen)} |`),
    '',
    '## Recordings for later',
    '',
    'Recorded behaviour that this storey doesn’t promise, with the first reason. Everything else in `recordings/vectors/` must pass',
    '(`npm run vectors`).',
    '',
    ...familyLines(categories),
  ].join('\n')
}

function familyLines(categories: readonly Category[]): string[] {
  const families = [...new Set(categories.map(({ family }) => family))]
  return families.flatMap((family) => {
    const ours = categories.filter((category) => category.family === family)
    const all = ours.flatMap(({ vectors }) => vectors).length
    const lines = ours.flatMap(categoryLines)
    return [
      `### ${family}: ${all - lines.length} of ${all} promised`,
      '',
      '| recording | reason |',
      '| --- | --- |',
      ...lines,
      '',
    ]
  })
}

function categoryLines({ family, category, vectors }: Category): string[] {
  return vectors.flatMap((vector) => {
    const reason = laterReason(family, category, vector)
    return reason === undefined ? [] : [`| ${category}: ${vector.name} | ${cell(reason)} |`]
  })
}

function names(list: readonly string[]): string {
  return list.length === 0 ? '–' : list.join(', ')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
