import { isLosslessNumber, sameJson } from '../exact-json.ts'
import { valueAt } from '../json-path.ts'
import type { Condition } from '../vector.ts'
import type { Answer } from './answer.ts'

/** Whether all conditions of an `until` hold for an answer. */
export function allHold(conditions: readonly Condition[], answer: Answer): boolean {
  return conditions.every((condition) => holds(condition, answer))
}

function holds(condition: Condition, answer: Answer): boolean {
  if (condition.status !== undefined && Number(condition.status) !== answer.status) return false
  if (condition.path === undefined) return true
  const value = valueAt(answer.body, condition.path)
  if (condition.exists !== undefined && condition.exists !== (value !== undefined && value !== null))
    return false
  if (condition.equals !== undefined && !sameJson(value, condition.equals)) return false
  if (condition.length !== undefined && !(Array.isArray(value) && value.length === Number(condition.length)))
    return false
  if (
    condition.atLeast !== undefined &&
    !(isLosslessNumber(value) && Number(value) >= Number(condition.atLeast))
  )
    return false
  return true
}
