import { expectedOf, Findings } from '../compare/judge.ts'
import { isObject, type Json } from '../exact-json.ts'
import type { Outcome } from '../replay/replay.ts'
import { type Change, changesOf } from './changes.ts'

/** How well the comparison told changed recordings from the real ones. */
export interface ControlResult {
  /** Changes tried, by kind of value. */
  readonly tried: Readonly<Record<string, number>>
  /** In parts that vectors/README.md exempts from comparison, and so not tried. */
  readonly exempt: number
  /** `name, step, path, kind` of each change that went unnoticed. */
  readonly missed: readonly string[]
}

/**
 * The comparison's own test: takes vectors that passed, changes one value of a recorded answer at a time, and compares what the
 * server answered with that. Each change must be noticed, or passing would mean nothing.
 */
export function control(outcomes: readonly Outcome[]): ControlResult {
  const tried: Record<string, number> = {}
  const missed: string[] = []
  let exempt = 0
  for (const { vector, results, failures } of outcomes) {
    if (results === undefined || failures?.length !== 0) continue
    const findings = new Findings(vector, results)
    for (const [step, recorded] of vector.steps.entries()) {
      const expected = expectedOf(recorded)
      if (expected === null) continue
      for (const change of changesOf(expected)) {
        if (isExempt(change, expected, findings.of(step))) {
          exempt += 1
          continue
        }
        tried[change.kind] = (tried[change.kind] ?? 0) + 1
        if (findings.compare(step, change.changed).length === 0)
          missed.push(`${vector.name}, step ${step}, ${change.path.join('.')}, ${change.kind}`)
      }
    }
  }
  return { tried, exempt, missed }
}

const BUILD_DETAILS = /^(gitVersion|gitCommit|gitTreeState|buildDate|goVersion|compiler|platform)$/

/** Build details of /version, and discovery entries of what the server doesn't serve. */
function isExempt({ path, kind }: Change, expected: Json, found: Json): boolean {
  const [body, list, index] = path
  if (body !== 'body' || typeof list !== 'string') return false
  if (BUILD_DETAILS.test(list) && kind !== 'absent') return true
  if ((list !== 'resources' && list !== 'groups') || typeof index !== 'number') return false
  const name = nameOf(expected, list, index)
  const served = isObject(found) && isObject(found.body) ? found.body[list] : undefined
  return Array.isArray(served) && !served.some((item) => isObject(item) && item.name === name)
}

function nameOf(expected: Json, list: string, index: number): Json | undefined {
  const body = isObject(expected) ? expected.body : undefined
  const items = isObject(body) ? body[list] : undefined
  const item = Array.isArray(items) ? items[index] : undefined
  return isObject(item) ? item.name : undefined
}
