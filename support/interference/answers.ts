import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Exchange } from './journal.ts'
import { playedStatus } from './played-status.ts'

/** The API is played: its own kind of refusal. */
export function answerStatus(response: ServerResponse, code: number, retryAfterSeconds?: number): void {
  const headers = {
    'content-type': 'application/json',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  }
  response.writeHead(code, headers).end(JSON.stringify(playedStatus(code, retryAfterSeconds)))
}

/** The client gets no answer at all. */
export function breakConnection(
  exchange: Exchange,
  how: 'answer dropped' | 'reset',
  request: IncomingMessage,
): void {
  exchange.lost = how
  request.socket.resetAndDestroy()
}

/** Passes a watch on for as long as both sides stay. */
export async function streamAnswer(
  exchange: Exchange,
  answer: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(exchange.code ?? 0, endToEnd(answer))
  response.flushHeaders()
  try {
    await pipeline(answer, response)
  } catch {
    // A watch ends when either side leaves; that is how watches end.
    exchange.lost = 'client left'
    answer.destroy()
  }
}

/** Headers that are for the client; the others belong to the hop they came on. */
export function endToEnd(
  answer: IncomingMessage,
  length?: number,
): Record<string, string | string[] | number> {
  const headers: Record<string, string | string[] | number> = {}
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !ONE_HOP.has(name)) headers[name] = value
  return length === undefined ? headers : { ...headers, 'content-length': length }
}

const ONE_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])
