import { parse, parseDocument, stringify } from 'yaml'
import { exactInteger } from '../json/exact.ts'
import { badRequest } from '../status.ts'

/** JSON text as YAML, numbers untouched. */
export function toYaml(json: string): string {
  return stringify(parse(json, { intAsBigInt: true, schema: 'json' }))
}

/** YAML text as JSON text, read as kubectl and the API server read it: YAML 1.1 booleans, no anchors' bombs, keys once. Throws ApiError 400. */
export function yamlToJson(text: string): string {
  const document = parseDocument(text, {
    version: '1.1',
    intAsBigInt: true,
    schema: 'core',
    uniqueKeys: true,
    merge: true,
  })
  const [problem] = document.errors
  if (problem !== undefined)
    throw badRequest(`error converting YAML to JSON: yaml: ${problem.message.split('\n')[0]}`)
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    return JSON.stringify(value, (_key, each) =>
      typeof each === 'bigint' ? exactInteger(String(each)) : each,
    )
  } catch (error) {
    throw badRequest(
      `error converting YAML to JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
