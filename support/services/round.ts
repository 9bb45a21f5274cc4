/** Who answered the connections of one round, one after the other, and why it ended before its last. */
export interface Round {
  /** One for each connection that was answered. */
  readonly names: readonly string[]
  readonly refusal: string | undefined
}

/** Connections were not answered as they ought to be; the message ends with what was seen last. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/**
 * What the actor has said of its dials: a line for each answer, and the reason for which one had none as the last. Throws
 * ConnectionError where it said neither: an instrument that is broken itself would see nobody answer anywhere.
 */
export function roundOf({ exitCode, stdout }: { readonly exitCode: number; readonly stdout: string }): Round {
  const lines = stdout.split('\n').filter((line) => line !== '')
  if (exitCode === 0) return { names: lines.map(serverOf), refusal: undefined }
  const refusal = lines.pop()
  if (exitCode !== 1 || refusal === undefined)
    throw new ConnectionError(`what dialled ended with code ${exitCode}, and said ${refusal ?? 'nothing'}`)
  return { names: lines.map(serverOf), refusal }
}

/** Whether all were answered, by each of these servers and by nobody else. */
export function isAnsweredBy({ names, refusal }: Round, servers: readonly string[]): boolean {
  const answered = [...new Set(names)].toSorted()
  return refusal === undefined && answered.join('\n') === servers.toSorted().join('\n')
}

/** Whether not a single one was answered. */
export function isUnanswered({ names, refusal }: Round): boolean {
  return refusal !== undefined && names.length === 0
}

/** In one line: `steady 12 times, late 8 times`, or why there was no answer. */
export function showRound({ names, refusal }: Round): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const answers = [...counts].map(([name, count]) => `${name} ${count} times`).toSorted()
  return [...answers, ...(refusal === undefined ? [] : [refusal])].join(', ')
}

/** By UDP the packet comes back after the name. */
function serverOf(line: string): string {
  return line.split(' ')[0] ?? ''
}
