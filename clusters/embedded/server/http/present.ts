import { type IncludeObject, type ListMeta, metadataList, metadataOnly, table } from '../printing/table.ts'
import type { Listing } from '../registry/list.ts'
import { type Outcome, servedObject, toServed } from '../registry/outcome.ts'
import { groupVersion, type Resource } from '../registry/resource.ts'
import { badRequest } from '../status.ts'
import type { Stored } from '../store/stored.ts'
import { type Negotiated, negotiate } from './negotiate.ts'
import { type Answer, answerWith } from './respond.ts'

/** How the client wants to see objects. */
export interface Presentation extends Negotiated {
  readonly include: IncludeObject
}

/** Reads the Accept header and includeObject. Throws ApiError. */
export function presentation(
  _row: Resource,
  accept: string | undefined,
  query: URLSearchParams,
): Presentation {
  const include = query.get('includeObject') ?? 'Metadata'
  if (include !== '' && include !== 'Metadata' && include !== 'None' && include !== 'Object') {
    throw badRequest(`unrecognized includeObject value: ${JSON.stringify(include)}`)
  }
  return { ...negotiate(accept), include: (include || 'Metadata') as IncludeObject }
}

export function answerStored(row: Resource, stored: Stored, shape: Presentation): Promise<Answer> {
  return answerOutcome(row, toServed(row, stored), shape)
}

export function answerOutcome(row: Resource, outcome: Outcome, shape: Presentation): Promise<Answer> {
  const { object, bytes } = outcome
  if (shape.as === 'object' || object.kind === 'Status') return answerWith(shape.format, 200, object, bytes)
  if (shape.as === 'PartialObjectMetadata') return answerWith(shape.format, 200, metadataOnly(object))
  const { resourceVersion } = object.metadata
  const metadata = resourceVersion === undefined ? {} : { resourceVersion }
  return answerWith(shape.format, 200, table(row, [object], metadata, shape.include))
}

export function answerList(row: Resource, listing: Listing, shape: Presentation): Promise<Answer> {
  const metadata: ListMeta = {
    resourceVersion: String(listing.revision),
    ...(listing.continueToken === undefined ? {} : { continue: listing.continueToken }),
    ...(listing.remaining === undefined ? {} : { remainingItemCount: listing.remaining }),
  }
  if (shape.as === 'object' && shape.format === 'json') {
    return Promise.resolve({
      code: 200,
      contentType: 'application/json',
      body: listBytes(row, listing, metadata),
    })
  }
  const objects = listing.items.map((stored) => servedObject(row, stored))
  if (shape.as === 'Table') return answerWith(shape.format, 200, table(row, objects, metadata, shape.include))
  if (shape.as === 'PartialObjectMetadata')
    return answerWith(shape.format, 200, metadataList(objects, metadata))
  return answerWith(shape.format, 200, JSON.parse(listBytes(row, listing, metadata).toString()))
}

/** Lists are put together from the JSON that the objects already have. Items of built-in kinds don't repeat kind and apiVersion. */
function listBytes(row: Resource, listing: Listing, metadata: ListMeta): Buffer {
  const head = { kind: row.listKind, apiVersion: groupVersion(row) }
  const meta = row.custom ? { continue: '', ...metadata } : metadata
  const prefix = `{"kind":${JSON.stringify(row.kind)},"apiVersion":${JSON.stringify(groupVersion(row))},`
  const parts: Buffer[] = [
    Buffer.from(`${JSON.stringify({ ...head, metadata: meta }).slice(0, -1)},"items":[`),
  ]
  for (const [index, stored] of listing.items.entries()) {
    const { object, bytes = Buffer.from(JSON.stringify(object)) } = toServed(row, stored)
    if (index > 0) parts.push(COMMA)
    if (row.custom || !bytes.subarray(0, prefix.length).equals(Buffer.from(prefix))) parts.push(bytes)
    else parts.push(BRACE, bytes.subarray(prefix.length))
  }
  parts.push(END)
  return Buffer.concat(parts)
}

const COMMA = Buffer.from(',')
const BRACE = Buffer.from('{')
const END = Buffer.from(']}')
