import type { IncomingMessage } from 'node:http'
import { isTrue } from '../registry/list-options.ts'
import type { ResourcePath } from './request-path.ts'

/** The verb of a request for a resource, as authorization and messages name it. */
export function verbOf(path: ResourcePath, query: URLSearchParams, request: IncomingMessage): string {
  switch (request.method) {
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return path.name === undefined ? 'deletecollection' : 'delete'
    default:
      if (path.watch || isTrue(query.get('watch'))) return 'watch'
      return path.name === undefined ? 'list' : 'get'
  }
}
