import type { IncomingMessage } from 'node:http'
import type { Answer } from '../http/respond.ts'
import type { Registry } from '../registry/registry.ts'

export function discover(_registry: Registry, _path: string, _request: IncomingMessage): Answer | undefined {
  return undefined
}
