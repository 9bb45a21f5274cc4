import type { IncomingMessage } from 'node:http'
import { ApiError } from '../status.ts'

/** What a real API server reads of a body before it refuses it. */
export const BODY_LIMIT = 3 * 1024 * 1024

/** Thrown when the client went away while it was sending: there is nobody to answer. */
export class AbortedError extends Error {
  constructor() {
    super('the client closed the connection')
    this.name = 'AbortedError'
  }
}

/** The body of a request as text. Throws ApiError 413, AbortedError. */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      // The rest is read and dropped, so that the client gets to see the answer.
      if (size <= BODY_LIMIT) chunks.push(chunk)
      else if (size > 16 * BODY_LIMIT) break
    }
  } catch {
    throw new AbortedError()
  }
  if (size > BODY_LIMIT) {
    throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${BODY_LIMIT}`)
  }
  return Buffer.concat(chunks, size).toString('utf8')
}
