import { isObject, type Json, mapStrings, printExact } from '../exact-json.ts'
import { requestsOf, type Vector } from '../vector.ts'
import type { Literals } from './marks.ts'

/** Collects what the steps of a vector spell out themselves. */
export function literalsOf(vector: Vector): Literals {
  const texts: string[] = []
  const generateNames: string[] = []
  for (const { path, body, auth } of vector.steps.flatMap(requestsOf)) {
    texts.push(path, auth ?? '')
    if (body === undefined) continue
    mapStrings(body, (text) => {
      texts.push(text)
      return text
    })
    texts.push(printExact(body))
    collectGenerateNames(body, generateNames)
  }
  const everything = texts.join('\n')
  return { has: (text) => everything.includes(text), generateNames }
}

function collectGenerateNames(value: Json, into: string[]): void {
  if (Array.isArray(value)) for (const item of value) collectGenerateNames(item, into)
  if (!isObject(value)) return
  if (typeof value.generateName === 'string' && value.generateName !== '') into.push(value.generateName)
  for (const item of Object.values(value)) collectGenerateNames(item, into)
}
