import { own } from '../json/access.ts'
import { isObject, type JsonObject, parseExact } from '../json/exact.ts'
import { TooDeepError } from '../json/text-checks.ts'
import { applyJsonPatch, JsonPatchError } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import { applyStrategicMerge } from '../patch/strategic-merge.ts'
import { StrategicMergeError } from '../patch/strategic-merge-error.ts'
import {
  ApiError,
  badRequest,
  internalError,
  invalid,
  notFound,
  notImplemented,
  unsupportedMediaType,
} from '../status.ts'
import { invalidValue } from '../validation/field-error.ts'
import { inNamespace } from './create.ts'
import type { WriteOptions } from './options.ts'
import { type Outcome, servedObject } from './outcome.ts'
import { decodeChecked, duplicatesIn, wrongKind } from './read-body.ts'
import type { Registry } from './registry.ts'
import { groupVersion, type Resource, reported } from './resource.ts'
import { replace, type Target } from './update.ts'

const JSON_PATCH = 'application/json-patch+json'
const MERGE_PATCH = 'application/merge-patch+json'
const STRATEGIC_MERGE = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'
const APPLY_CBOR = 'application/apply-patch+cbor'
const MAXIMUM_OPERATIONS = 10_000

/** The patch types a resource takes, for discovery and for the refusal of others. */
export function patchTypes(row: Resource): readonly string[] {
  return row.custom ? [JSON_PATCH, MERGE_PATCH, APPLY] : [JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE, APPLY]
}

/** Refuses a content type before the object is looked at. Throws ApiError. */
export function checkPatchType(row: Resource, contentType: string): void {
  if (contentType === APPLY || contentType === APPLY_CBOR) {
    throw notImplemented(
      { verb: 'patch', resource: row.resource, field: contentType },
      'server-side apply is not implemented',
    )
  }
  if (patchTypes(row).includes(contentType)) return
  if (row.custom) throw unsupportedMediaType(patchTypes(row))
  throw new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
}

/** PATCH of one object. Throws ApiError. */
export function patch(
  registry: Registry,
  row: Resource,
  target: Target,
  contentType: string,
  text: string,
  options: WriteOptions & { readonly warnings: string[] },
): Outcome {
  const existing = registry.get(row, target.namespace, target.name)
  const { change, duplicates } = parsePatch(contentType, text)
  if (existing === undefined) throw notFound(reported(row), target.name)
  const patched = applied(row, contentType, servedObject(row, existing), change)
  const refuse = (why: string): ApiError =>
    invalid({ group: '', kind: '' }, '', [invalidValue('patch', patchedText(patched, change), why)])
  if (patched.kind !== row.kind || patched.apiVersion !== groupVersion(row)) {
    throw refuse(wrongKind(registry, row, patched))
  }
  const next = decodeChecked(row, patched, duplicates, options, refuse)
  const { name } = next.metadata
  if (name === undefined)
    throw badRequest(
      `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
    )
  if (name !== target.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`)
  return replace(
    registry,
    row,
    existing,
    inNamespace(row, target.namespace, next),
    target.subresource,
    options,
  )
}

/** The patched object as Kubernetes shows it: it has decoded, and so sorted, only the levels that the patch touches. */
function patchedText(patched: JsonObject, change: unknown): string {
  const sorted = (value: unknown, touched: unknown): unknown => {
    if (!isObject(value) || !isObject(touched)) return value
    const keys = Object.keys(value).sort()
    return Object.fromEntries(keys.map((key) => [key, sorted(value[key], own(touched, key))]))
  }
  return JSON.stringify(sorted(patched, isObject(change) ? change : {}))
}

function parsePatch(contentType: string, text: string): { change: unknown; duplicates: readonly string[] } {
  let change: unknown
  let duplicates: readonly string[] = []
  try {
    change = parseExact(text)
    duplicates = duplicatesIn(text, change)
  } catch (error) {
    if (error instanceof TooDeepError || error instanceof RangeError)
      throw badRequest('error decoding patch: exceeded max depth')
    throw badRequest(`error decoding patch: ${error instanceof Error ? error.message : String(error)}`)
  }
  const found = Array.isArray(change) ? 'array' : change === null ? 'null' : typeof change
  if (contentType === JSON_PATCH) {
    if (!Array.isArray(change)) {
      throw badRequest(
        `error decoding patch: json: cannot unmarshal ${found} into Go value of type []handlers.jsonPatchOp`,
      )
    }
    if (change.length > MAXIMUM_OPERATIONS) {
      throw new ApiError(
        413,
        'RequestEntityTooLarge',
        `The allowed maximum operations in a JSON patch is ${MAXIMUM_OPERATIONS}, got ${change.length}`,
      )
    }
  } else if (!isObject(change)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
    )
  }
  return { change, duplicates: contentType === JSON_PATCH ? [] : duplicates }
}

function applied(row: Resource, contentType: string, object: JsonObject, change: unknown): JsonObject {
  try {
    if (contentType === MERGE_PATCH) return applyMergePatch(object, change) as JsonObject
    if (contentType === STRATEGIC_MERGE)
      return applyStrategicMerge(row.struct ?? '', object, change as JsonObject)
    const result = applyJsonPatch(object, change as unknown[])
    if (isObject(result)) return result
    throw new JsonPatchError('the patched document is no object')
  } catch (error) {
    if (error instanceof StrategicMergeError) throw internalError(error.message)
    if (error instanceof JsonPatchError) {
      throw new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
    }
    throw error
  }
}
