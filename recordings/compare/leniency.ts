import { isObject, type Json, type JsonObject, printExact } from '../exact-json.ts'

/**
 * Takes out of an answer what vectors/README.md says not to compare: Go's own words in decoding errors, the order of causes
 * and of conditions, build details of /version. Applied to the recorded and to the found answer alike.
 */
export function withoutIncomparable(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutIncomparable)
  if (!isObject(value)) return value
  const result: JsonObject = {}
  for (const [key, item] of Object.entries(value)) result[key] = member(value, key, item)
  return result
}

const BUILD_DETAILS = [
  'gitVersion',
  'gitCommit',
  'gitTreeState',
  'buildDate',
  'goVersion',
  'compiler',
  'platform',
]

function member(owner: JsonObject, key: string, value: Json): Json {
  if (BUILD_DETAILS.includes(key) && Object.hasOwn(owner, 'goVersion')) return '<build>'
  const inner = withoutIncomparable(value)
  if (typeof inner === 'string' && (key === 'message' || key === '$.message')) return comparableMessage(inner)
  if (Array.isArray(inner) && (key === 'causes' || key === 'conditions')) return [...inner].sort(byText)
  return inner
}

function comparableMessage(message: string): string {
  return withSortedCauses(withoutManagedFields(withoutGo(message)))
}

/** What the Go decoder says after naming the kind; its strict errors name fields and stay. */
export function withoutGo(message: string): string {
  return message
    .replace(/(cannot be handled as an? \w+: )(?!strict decoding error)[\s\S]*/, '$1<go>')
    .replace(/(json: )?cannot unmarshal [\s\S]*/, '<go>')
}

/** managedFields inside an object that a message quotes. */
function withoutManagedFields(message: string): string {
  const begin = message.search(/,\\*"managedFields\\*":\[/)
  if (begin < 0) return message
  let depth = 0
  for (let index = message.indexOf('[', begin); index < message.length; index += 1) {
    if (message[index] === '[') depth += 1
    else if (message[index] === ']' && --depth === 0)
      return message.slice(0, begin) + withoutManagedFields(message.slice(index + 1))
  }
  return message
}

/** `… is invalid: [b, a]` with its causes in alphabetical order. */
function withSortedCauses(message: string): string {
  const match = /^([\s\S]* is invalid: \[)([\s\S]*)(\])$/.exec(message)
  if (!match) return message
  const [, before, causes = '', after] = match
  return `${before}${causes.split(', ').sort().join(', ')}${after}`
}

function byText(one: Json, other: Json): number {
  const [a, b] = [sortKey(one), sortKey(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** By what identifies a condition or a cause first, so that a difference in the rest shows up beside its partner. */
function sortKey(item: Json): string {
  if (!isObject(item)) return printExact(item)
  const { type, field, reason } = item
  return [type, field, reason, item.message].map((part) => printExact(part ?? null)).join(' ')
}
