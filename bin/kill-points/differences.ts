/** What differs between two values of JSON, a line each: `/spec/unschedulable: absent before, true now`. */
export function differencesOf(before: unknown, now: unknown, pointer = ''): readonly string[] {
  if (isComposite(before) && isComposite(now) && Array.isArray(before) === Array.isArray(now)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)])
    return [...keys].flatMap((key) => differencesOf(before[key], now[key], `${pointer}/${escaped(key)}`))
  }
  if (Object.is(before, now)) return []
  return [`${pointer}: ${show(before)} before, ${show(now)} now`]
}

function isComposite(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** As a JSON pointer has it. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function show(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value)
}
