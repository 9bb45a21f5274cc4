import { readFileSync } from 'node:fs'
import type { Envelope } from '@cucumber/messages'

export interface MessageStream {
  readonly envelopes: readonly Envelope[]
  /** Lines that are no message: normal at the end of a run that was killed, a defect elsewhere. */
  readonly unreadable: readonly number[]
}

/** Reads Cucumber's message file; a missing one is an empty stream, since a run may die before its first message. */
export function readMessageStream(path: string): MessageStream {
  const envelopes: Envelope[] = []
  const unreadable: number[] = []
  for (const [index, line] of readLines(path).entries()) {
    if (line.trim() === '') continue
    const envelope = parse(line)
    if (envelope) envelopes.push(envelope)
    else unreadable.push(index + 1)
  }
  return { envelopes, unreadable }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function parse(line: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Envelope) : undefined
  } catch {
    return undefined
  }
}
