import { isObject } from './exact-json.ts'

type Segment =
  | { readonly key: string }
  | { readonly index: number }
  | { readonly every: true }
  | { readonly where: string; readonly is: string }

/**
 * The value at a path of the recordings' little language: `$.a.b[0]`, `['a.b']`, `[*]`, `[?type=Ready]`. `[*]` answers an
 * array of what is there; a `[?…]` that meets one item answers this item. Undefined where nothing is there.
 */
export function valueAt(root: unknown, path: string): unknown {
  return follow(root, segmentsOf(path))
}

const SEGMENT = /\.([^.[\]]+)|\[(\d+)\]|\[(\*)\]|\['((?:[^'\\]|\\.)*)'\]|\[\?([^=\]]+)=([^\]]*)\]/y

function segmentsOf(path: string): Segment[] {
  if (!path.startsWith('$')) throw new SyntaxError(`the path ${path} does not begin with $`)
  const segments: Segment[] = []
  SEGMENT.lastIndex = 1
  while (SEGMENT.lastIndex < path.length) {
    const at = SEGMENT.lastIndex
    const match = SEGMENT.exec(path)
    if (!match) throw new SyntaxError(`the path ${path} can't be read from position ${at} on`)
    const [, key, index, every, quoted, where, is] = match
    if (index !== undefined) segments.push({ index: Number(index) })
    else if (every !== undefined) segments.push({ every: true })
    else if (where !== undefined) segments.push({ where, is: is ?? '' })
    else segments.push({ key: key ?? quoted ?? '' })
  }
  return segments
}

function follow(value: unknown, [segment, ...rest]: readonly Segment[]): unknown {
  if (segment === undefined || value === undefined) return value
  if ('key' in segment)
    return isObject(value) && Object.hasOwn(value, segment.key) ? follow(value[segment.key], rest) : undefined
  if (!Array.isArray(value)) return undefined
  if ('index' in segment) return follow(value[segment.index], rest)
  if ('every' in segment) return value.map((item) => follow(item, rest)).filter((item) => item !== undefined)
  const matching = value.filter((item) => isObject(item) && item[segment.where] === segment.is)
  const found = matching.map((item) => follow(item, rest)).filter((item) => item !== undefined)
  return found.length > 1 ? found : found[0]
}
