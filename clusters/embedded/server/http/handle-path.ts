import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from '../registry/registry.ts'
import { unknownPath } from '../status.ts'
import { VERSION } from '../version.ts'
import { PAGE_NOT_FOUND, plainText, sendAnswer } from './respond.ts'

const HEALTH = /^\/(healthz|livez|readyz)(\/ping|\/etcd|\/log)?$/

/** Everything that is no resource: health, version, discovery. Throws ApiError. */
export async function handlePath(
  registry: Registry,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = target.replace(/(.)\/$/, '$1')
  if (HEALTH.test(path)) return sendAnswer(response, plainText(200, 'ok'))
  if (path === '/version') {
    return sendAnswer(response, { code: 200, contentType: 'application/json', body: JSON.stringify(VERSION) })
  }
  const { discover } = await import('../discovery/discover.ts')
  const found = discover(registry, path, request)
  if (found !== undefined) return sendAnswer(response, found)
  const [, root, group] = path.split('/')
  if (
    root === 'api' ||
    (root === 'apis' && registry.resources().some((row) => row.group === group && !row.custom))
  )
    throw unknownPath()
  sendAnswer(response, PAGE_NOT_FOUND)
}
