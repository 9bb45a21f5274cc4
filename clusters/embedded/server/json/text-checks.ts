import { isObject } from './exact.ts'

/** Nesting that encoding/json refuses; far below what would overflow our own recursion. */
export const MAXIMUM_DEPTH = 1000

/** The nesting of a value is deeper than any real object's: it is refused before anything recurses into it. */
export class TooDeepError extends Error {
  constructor() {
    super('exceeded max depth')
    this.name = 'TooDeepError'
  }
}

/** Counts the keys of all objects in a value. Throws TooDeepError. */
export function countKeys(value: unknown, depth = 0): number {
  if (depth > MAXIMUM_DEPTH) throw new TooDeepError()
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item, depth + 1)
  } else if (isObject(value)) {
    for (const key in value) {
      count++
      const item = value[key]
      if (typeof item === 'object') count += countKeys(item, depth + 1)
    }
  }
  return count
}

/** Counts the keys written in a JSON text: more than the parsed value has means that some were written twice. Linear, no recursion. */
export function countWrittenKeys(text: string): number {
  let count = 0
  let start = text.indexOf('"')
  while (start !== -1) {
    const end = closingQuote(text, start)
    let after = end + 1
    while (isSpace(text.charCodeAt(after))) after++
    if (text.charCodeAt(after) === 0x3a) count++
    start = text.indexOf('"', after)
  }
  return count
}

/** The paths of keys that a valid JSON text writes twice in one object, as Kubernetes names them (`spec.list[0].key`). */
export function duplicateKeys(text: string): string[] {
  const found: string[] = []
  const frames: { path: string; keys: Set<string> | undefined; index: number; key: string }[] = []
  for (let at = 0; at < text.length; at++) {
    const frame = frames.at(-1)
    const char = text[at]
    if (char === '{' || char === '[') {
      const path =
        frame === undefined
          ? ''
          : frame.keys === undefined
            ? `${frame.path}[${frame.index}]`
            : join(frame.path, frame.key)
      frames.push({ path, keys: char === '{' ? new Set() : undefined, index: 0, key: '' })
    } else if (char === '}' || char === ']') frames.pop()
    else if (char === ',' && frame !== undefined) frame.index++
    else if (char === '"') {
      const end = closingQuote(text, at)
      let after = end + 1
      while (isSpace(text.charCodeAt(after))) after++
      if (text.charCodeAt(after) === 0x3a && frame?.keys !== undefined) {
        const key = JSON.parse(text.slice(at, end + 1)) as string
        if (frame.keys.has(key)) found.push(join(frame.path, key))
        frame.keys.add(key)
        frame.key = key
      }
      at = end
    }
  }
  return [...new Set(found)]
}

function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
