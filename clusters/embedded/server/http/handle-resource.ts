import type { IncomingMessage, ServerResponse } from 'node:http'
import { create } from '../registry/create.ts'
import { deleteOptions, remove, removeStored } from '../registry/delete.ts'
import { list } from '../registry/list.ts'
import { isTrue, tooLarge } from '../registry/list-options.ts'
import { writeOptions } from '../registry/options.ts'
import { checkPatchType, patch } from '../registry/patch.ts'
import { readObject } from '../registry/read-body.ts'
import type { Registry } from '../registry/registry.ts'
import { type Resource, reported, type Subresource } from '../registry/resource.ts'
import { update } from '../registry/update.ts'
import { watch } from '../registry/watch.ts'
import { refuseUnserved } from '../resources/unserved.ts'
import { badRequest, methodNotAllowed, notFound, unknownPath, unsupportedMediaType } from '../status.ts'
import { answerList, answerOutcome, answerStored, type Presentation, presentation } from './present.ts'
import { readText } from './read-text.ts'
import type { ResourcePath } from './request-path.ts'
import { sendAnswer, warningHeaders } from './respond.ts'
import { sendWatch } from './send-watch.ts'
import { verbOf } from './verbs.ts'

/** One request for a resource that is served. */
export interface ResourceRequest {
  readonly registry: Registry
  readonly row: Resource
  readonly path: ResourcePath
  readonly query: URLSearchParams
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Answers a request for a resource of the table. Throws ApiError. */
export async function handleResource(of: ResourceRequest): Promise<void> {
  const { row, path, query, request, response } = of
  const shape = presentation(row, request.headers.accept, query)
  const { name } = path
  if (path.subresource !== undefined && !row.subresources.some((each) => each === path.subresource)) {
    refuseUnserved(path, verbOf(path, query, request))
    // An object's name and then something that no definition declares: custom resources answer as if the object were missing.
    if (row.custom && (path.subresource === 'scale' || path.subresource === 'status'))
      throw notFound(reported(row), name ?? '')
    throw unknownPath()
  }
  if (row.namespaced && path.namespace === undefined && (name !== undefined || request.method !== 'GET')) {
    if (name !== undefined) throw unknownPath()
    throw methodNotAllowed()
  }
  switch (request.method) {
    case 'GET':
      if (path.watch || (isTrue(query.get('watch')) && path.subresource === undefined)) {
        return sendWatch(response, row, watch(of.registry, row, path.namespace, query, name), shape)
      }
      return sendAnswer(response, await (name === undefined ? listed(of, shape) : got(of, name, shape)))
    case 'POST':
      if (name !== undefined) throw methodNotAllowed()
      return created(of, shape)
    case 'PUT':
      if (name === undefined) throw methodNotAllowed()
      return updated(of, name, shape)
    case 'PATCH':
      if (name === undefined) throw methodNotAllowed()
      return patched(of, name, shape)
    case 'DELETE':
      if (path.subresource !== undefined || (name === undefined && !row.verbs.includes('deletecollection'))) {
        throw methodNotAllowed()
      }
      return sendAnswer(
        response,
        await (name === undefined ? removedAll(of, shape) : removed(of, name, shape)),
      )
    default:
      throw methodNotAllowed()
  }
}

async function got({ registry, row, path, query }: ResourceRequest, name: string, shape: Presentation) {
  const version = query.get('resourceVersion') ?? ''
  if (version !== '' && !/^\d+$/.test(version)) {
    throw badRequest(
      `resourceVersion: Invalid value: ${JSON.stringify(version)}: strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`,
    )
  }
  if (Number(version) > registry.store.revision) throw tooLarge(Number(version), registry.store.revision)
  const stored = registry.get(row, path.namespace, name)
  if (stored === undefined) throw notFound(reported(row), name)
  return answerStored(row, stored, shape)
}

async function listed({ registry, row, path, query }: ResourceRequest, shape: Presentation) {
  return answerList(row, list(registry, row, path.namespace, query), shape)
}

async function created(
  { registry, row, path, query, request, response }: ResourceRequest,
  shape: Presentation,
): Promise<void> {
  const options = { ...writeOptions('CreateOptions', query), warnings: [] as string[] }
  const text = await readJson(row, request)
  const outcome = create(registry, row, path.namespace, readObject(registry, row, text, options), options)
  const headers = warningHeaders([...options.warnings, ...(outcome.warnings ?? [])])
  sendAnswer(response, { ...(await answerOutcome(row, outcome, shape)), code: 201, headers })
}

async function updated(
  { registry, row, path, query, request, response }: ResourceRequest,
  name: string,
  shape: Presentation,
): Promise<void> {
  const options = { ...writeOptions('UpdateOptions', query), warnings: [] as string[] }
  const text = await readJson(row, request)
  const target = { namespace: path.namespace, name, subresource: (path.subresource ?? '') as Subresource }
  const outcome = update(registry, row, target, readObject(registry, row, text, options), options)
  const headers = warningHeaders([...options.warnings, ...(outcome.warnings ?? [])])
  sendAnswer(response, {
    ...(await answerOutcome(row, outcome, shape)),
    code: outcome.created === true ? 201 : 200,
    headers,
  })
}

async function patched(
  { registry, row, path, query, request, response }: ResourceRequest,
  name: string,
  shape: Presentation,
): Promise<void> {
  const contentType = mediaType(request)
  checkPatchType(row, contentType)
  const options = { ...writeOptions('PatchOptions', query), warnings: [] as string[] }
  const text = await readText(request)
  const target = { namespace: path.namespace, name, subresource: (path.subresource ?? '') as Subresource }
  const outcome = patch(registry, row, target, contentType, text, options)
  const headers = warningHeaders([...options.warnings, ...(outcome.warnings ?? [])])
  sendAnswer(response, { ...(await answerOutcome(row, outcome, shape)), headers })
}

async function removed(
  { registry, row, path, query, request }: ResourceRequest,
  name: string,
  shape: Presentation,
) {
  const options = deleteOptions(row, await readText(request), query)
  return answerOutcome(row, remove(registry, row, path.namespace, name, options), shape)
}

async function removedAll({ registry, row, path, query, request }: ResourceRequest, shape: Presentation) {
  const options = deleteOptions(row, await readText(request), query)
  const listing = list(registry, row, path.namespace, query)
  for (const stored of listing.items) {
    const present = registry.store.get(row.collection, stored.key)
    if (present !== undefined) removeStored(registry, row, present, options)
  }
  return answerList(row, listing, shape)
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const BODY_TYPES = ['application/json', 'application/yaml']

async function readJson(row: Resource, request: IncomingMessage): Promise<string> {
  const type = mediaType(request)
  if (type === PROTOBUF) throw unsupportedMediaType(BODY_TYPES)
  // Of a type that nobody knows Kubernetes says what it would take itself.
  if (type !== '' && !BODY_TYPES.includes(type))
    throw unsupportedMediaType([...BODY_TYPES, ...(row.custom ? [] : [PROTOBUF])])
  const text = await readText(request)
  if (type !== 'application/yaml') return text
  const { yamlToJson } = await import('./yaml.ts')
  return yamlToJson(text)
}

function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}
