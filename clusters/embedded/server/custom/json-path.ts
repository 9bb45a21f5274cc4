import { own } from '../json/access.ts'
import { isObject } from '../json/exact.ts'

type Step = (value: unknown) => readonly unknown[]

/** Reads the simple JSON paths of printer columns: `.spec.a`, `['a.b']`, `[0]`, `[*]`, `[?(@.type=="Ready")]`. Undefined if it isn't one. */
export function parseJsonPath(path: string): ((value: unknown) => readonly unknown[]) | undefined {
  const text = path.replace(/^\{(.*)\}$/s, '$1').replace(/^\$/, '')
  const steps: Step[] = []
  const token =
    /\.([A-Za-z0-9_\-\\/]+)|\.(\*)|\[\s*(-?\d+)\s*\]|\[\s*(\*)\s*\]|\[\s*['"]([^'"\]]*)['"]\s*\]|\[\?\(\s*@\.([\w.-]+)\s*==\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))\s*\)\]/y
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const match = token.exec(text)
    if (match === null) return undefined
    steps.push(stepOf(match))
  }
  return (value) => steps.reduce<readonly unknown[]>((values, step) => values.flatMap(step), [value])
}

function stepOf(match: RegExpExecArray): Step {
  const [, key, anyKey, index, anyItem, quoted, field, double, single, bare] = match
  if (key !== undefined || quoted !== undefined) return child((key ?? quoted ?? '').replaceAll('\\', ''))
  if (anyKey !== undefined || anyItem !== undefined) return everything
  if (index !== undefined)
    return (value) => (Array.isArray(value) ? value.slice(Number(index)).slice(0, 1) : [])
  const wanted = double ?? single ?? bare ?? ''
  const path = (field ?? '').split('.')
  return (value) =>
    Array.isArray(value)
      ? value.filter((item) =>
          path
            .reduce<readonly unknown[]>((values, each) => values.flatMap(child(each)), [item])
            .some((found) => String(found) === wanted),
        )
      : []
}

function child(key: string): Step {
  return (value) => (isObject(value) && Object.hasOwn(value, key) ? [own(value, key)] : [])
}

function everything(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
}
