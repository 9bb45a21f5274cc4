import {
  boolYaml11Tag,
  DUMP_SCHEMA,
  defineScalarTag,
  dump,
  FAILSAFE_SCHEMA,
  floatCoreTag,
  intYaml11Tag,
  load,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
} from 'js-yaml'
import { exactInteger, isExactNumber, parseExact } from '../json/exact.ts'
import { MAXIMUM_DEPTH } from '../json/text-checks.ts'
import { badRequest } from '../status.ts'
import { BODY_LIMIT } from './read-text.ts'

const INTEGER = /^[-+]?(?:0b[01]+|0o[0-7]+|0x[\da-f]+|\d+)$/i

/** Integers as Go reads them (a leading 0 is octal, no base 60), every digit of an int64 kept. */
const integers = defineScalarTag('tag:yaml.org,2002:int', {
  implicit: true,
  implicitFirstChars: intYaml11Tag.implicitFirstChars,
  resolve: (source) => integer(source.replaceAll('_', '')) ?? NOT_RESOLVED,
  identify: (value) => isExactNumber(value) || intYaml11Tag.identify(value),
  represent: (value) => (isExactNumber(value) ? value.rawJSON : String(value)),
})

const floats = defineScalarTag('tag:yaml.org,2002:float', {
  ...floatCoreTag,
  resolve: (source, isExplicit, tag) => {
    const value = floatCoreTag.resolve(source, isExplicit, tag)
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new Error(`json: unsupported value: ${value}`)
    return value
  },
})

/** Of YAML 1.1 what Kubernetes' parser resolves; dates are text. */
const READ = FAILSAFE_SCHEMA.withTags(nullYaml11Tag, boolYaml11Tag, integers, floats, mergeTag)
const WRITE = DUMP_SCHEMA.withTags(integers)

/** JSON text as YAML, numbers untouched. */
export function toYaml(json: string): string {
  return dump(parseExact(json), { schema: WRITE, noRefs: true, lineWidth: -1 })
}

/** YAML text as JSON text, read as kubectl and the API server read it: YAML 1.1 booleans, no anchors' bombs, keys once. Throws ApiError 400. */
export function yamlToJson(text: string): string {
  try {
    return expand(load(text, { schema: READ, maxDepth: MAXIMUM_DEPTH }))
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw badRequest(`error converting YAML to JSON: yaml: ${why}`)
  }
}

/** What aliases repeat is written out: never more than a body may have, so a short text cannot become a huge one. */
function expand(value: unknown): string {
  let size = 0
  return JSON.stringify(value ?? null, function (this: unknown, key, each) {
    size += (Array.isArray(this) ? 0 : key.length) + (typeof each === 'string' ? each.length : 1)
    if (size > BODY_LIMIT) throw new Error('document contains excessive aliasing')
    return each
  })
}

function integer(source: string): ReturnType<typeof exactInteger> | undefined {
  if (!INTEGER.test(source)) return undefined
  const sign = source.startsWith('-') ? '-' : ''
  const digits = source.replace(/^[-+]/, '')
  const value = /^0./.test(digits)
    ? Number(digits.replace(/^0(?=\d)/, '0o')) * (sign === '-' ? -1 : 1)
    : exactInteger(sign + digits)
  // What no number holds is none: the tag for floats comes next, then it is text.
  return typeof value === 'number' && !Number.isFinite(value) ? undefined : value
}
