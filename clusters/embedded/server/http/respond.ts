import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { ApiError } from '../status.ts'
import type { Format } from './negotiate.ts'

/** An answer that is ready to be sent. */
export interface Answer {
  readonly code: number
  readonly contentType: string
  readonly body: Buffer | string
  readonly headers?: Readonly<Record<string, string | string[]>>
}

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body
  response.writeHead(answer.code, {
    ...standardHeaders(),
    'Content-Type': answer.contentType,
    'Content-Length': body.length,
    ...answer.headers,
  })
  response.end(body)
}

export function standardHeaders(): Record<string, string> {
  return { 'Audit-Id': randomUUID(), 'Cache-Control': 'no-cache, private' }
}

/** A value in the format asked for; `bytes` spares making JSON again. The YAML library is loaded when first needed. */
export async function answerWith(
  format: Format,
  code: number,
  value: unknown,
  bytes?: Buffer,
): Promise<Answer> {
  if (format === 'json')
    return { code, contentType: 'application/json', body: bytes ?? JSON.stringify(value) }
  const { toYaml } = await import('./yaml.ts')
  return { code, contentType: 'application/yaml', body: toYaml(JSON.stringify(value)) }
}

export function answerError(error: ApiError): Answer {
  const retry = error.details?.retryAfterSeconds
  return {
    code: error.code,
    contentType: 'application/json',
    body: JSON.stringify(error.status()),
    headers: retry === undefined ? {} : { 'Retry-After': String(retry) },
  }
}

export function plainText(code: number, body: string): Answer {
  return {
    code,
    contentType: 'text/plain; charset=utf-8',
    body,
    headers: { 'X-Content-Type-Options': 'nosniff' },
  }
}

export const PAGE_NOT_FOUND = plainText(404, '404 page not found\n')

/** Characters of all warnings together, and of each once that is exceeded. */
const WARNINGS_LIMIT = { total: 4 * 1024, each: 256 } as const

/** `Warning: 299 - "…"`, one header per warning: cut off, and in the end left out, where they are too much for a header. */
export function warningHeaders(warnings: readonly string[]): Record<string, string[]> {
  if (warnings.length === 0) return {}
  const texts = [...new Set(warnings)]
  const fit = lengthOf(texts) <= WARNINGS_LIMIT.total
  return { Warning: (fit ? texts : shortened(texts)).map((text) => `299 - "${headerText(text)}"`) }
}

function shortened(texts: readonly string[]): string[] {
  const kept: string[] = []
  let length = 0
  for (const text of texts) {
    if (length >= WARNINGS_LIMIT.total) break
    const characters = Array.from(text).slice(0, WARNINGS_LIMIT.each)
    length += characters.length
    kept.push(characters.join(''))
  }
  return kept
}

function lengthOf(texts: readonly string[]): number {
  let length = 0
  for (const text of texts) length += text.length
  return length
}

function headerText(text: string): string {
  // Header values are Latin-1 at best; anything else, line breaks above all, must not get there.
  return text.replaceAll(/[\\"]/g, '\\$&').replaceAll(/[^\x20-\x7e]/g, '?')
}
