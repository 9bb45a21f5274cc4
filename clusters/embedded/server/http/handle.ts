import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Authenticator } from '../auth/authenticate.ts'
import { ANONYMOUS, mayReadPath, type User } from '../auth/users.ts'
import type { Registry } from '../registry/registry.ts'
import { refuseUnserved } from '../resources/unserved.ts'
import { ApiError, forbidden, forbiddenPath, internalError, notImplemented, unknownPath } from '../status.ts'
import { TooLargeError } from '../store/store.ts'
import { handlePath } from './handle-path.ts'
import { handleResource } from './handle-resource.ts'
import { AbortedError } from './read-text.ts'
import { parseResourcePath, type ResourcePath } from './request-path.ts'
import { answerError, PAGE_NOT_FOUND, sendAnswer } from './respond.ts'
import { verbOf } from './verbs.ts'

export interface Services {
  readonly registry: Registry
  readonly authenticator: Authenticator
  /** Told of errors that are ours. */
  readonly log: (error: unknown) => void
}

/** Answers every request, whatever is wrong with it. */
export async function handle(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await route(services, request, response)
  } catch (error) {
    if (error instanceof AbortedError || response.destroyed) return
    const known = error instanceof TooLargeError ? internalError(error.message) : error
    if (!(known instanceof ApiError)) services.log(known)
    if (response.headersSent) {
      response.destroy()
      return
    }
    sendAnswer(response, answerError(known instanceof ApiError ? known : internal(known)))
  } finally {
    // What was not read of a body would be taken for the next request.
    if (!request.complete) request.resume()
  }
}

async function route(services: Services, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = splitTarget(request.url ?? '/')
  const user = services.authenticator.authenticate(request)
  refuseImpersonation(request)
  const path = parseResourcePath(url.path)
  if (path === undefined) {
    if (!mayReadPath(user, url.path)) {
      throw forbiddenPath(`User "${user.name}" cannot ${pathVerb(request)} path ${JSON.stringify(url.path)}`)
    }
    return handlePath(services.registry, url.path, request, response)
  }
  authorize(user, path, url.query, request)
  const { registry } = services
  const row = registry.find(path.group, path.version, path.resource)
  if (row !== undefined && (row.namespaced || path.namespace === undefined)) {
    return handleResource({ registry, row, path, query: url.query, request, response })
  }
  refuseUnserved(path, verbOf(path, url.query, request))
  if (registry.resources().some((each) => each.group === path.group && !each.custom)) throw unknownPath()
  sendAnswer(response, PAGE_NOT_FOUND)
}

/** Whoever asks in another's name must not be answered in his own. */
function refuseImpersonation(request: IncomingMessage): void {
  const header = Object.keys(request.headers).find((name) => name.startsWith('impersonate-'))
  if (header === undefined) return
  const what = { verb: 'impersonate', resource: 'users', field: header }
  throw notImplemented(what, 'there are no roles yet that could allow it')
}

/** Not by URL: `//` is a path here, not the start of a host name. */
function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const mark = target.indexOf('?')
  if (mark === -1) return { path: target, query: new URLSearchParams() }
  return { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark + 1)) }
}

/** Roles come later; until then only those who did not say who they are may not. */
function authorize(user: User, path: ResourcePath, query: URLSearchParams, request: IncomingMessage): void {
  if (user !== ANONYMOUS) return
  const verb = verbOf(path, query, request)
  const resource = path.subresource === undefined ? path.resource : `${path.resource}/${path.subresource}`
  const where = path.namespace === undefined ? 'at the cluster scope' : `in the namespace "${path.namespace}"`
  throw forbidden(
    { group: path.group, resource: path.resource },
    path.name ?? '',
    `User "${user.name}" cannot ${verb} resource "${resource}" in API group "${path.group}" ${where}`,
  )
}

function pathVerb(request: IncomingMessage): string {
  return (request.method ?? 'get').toLowerCase()
}

function internal(error: unknown): ApiError {
  return new ApiError(
    500,
    'InternalError',
    `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`,
  )
}
