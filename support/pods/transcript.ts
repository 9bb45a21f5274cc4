import type { KubeClient } from '../../src/kube/client.ts'
import { streamLines } from '../../src/kube/stream-lines.ts'
import { LookAgain, type LookAgainWait } from './look-again.ts'

/** A line that a container printed. */
export interface SpokenLine {
  readonly container: string
  /** When, by the clock of its node, in nanoseconds since 1970. */
  readonly at: bigint
  readonly text: string
}

/** A log line that doesn't begin with the time that was asked for. */
class LogLineError extends Error {
  override readonly name = 'LogLineError'
}

/** A line of a log that was read with timestamps. Throws LogLineError. */
export function spokenLine(container: string, line: string): SpokenLine {
  const [, seconds = '', fraction = '', zone = '', text = ''] = TIMED_LINE.exec(line) ?? []
  const milliseconds = Date.parse(`${seconds}${zone}`)
  if (Number.isNaN(milliseconds)) throw new LogLineError(`no time before "${line}" of ${container}`)
  return { container, at: BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0')), text }
}

/** RFC 3339, with as many digits of a second as the node writes. */
const TIMED_LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) ?(.*)$/

/** Lines of several containers of a pod, in the order in which they were printed. */
export function inOrder(lines: readonly SpokenLine[]): SpokenLine[] {
  return lines.toSorted((one, other) => Number(one.at - other.at))
}

/** For a reader: `main gets SIGTERM`. */
export function showLine({ container, text }: SpokenLine): string {
  return `${container} ${text === 'SIGTERM' ? 'gets SIGTERM' : text}`
}

/** What the log of a pod is read from. */
export interface LogSource {
  readonly kube: KubeClient
  /** `…/pods/web/log` */
  readonly path: string
  readonly signal: AbortSignal
}

/** Everything that a container has printed so far. */
export async function readLog(
  { kube, path, signal }: LogSource,
  container: string,
  query: Readonly<Record<string, boolean | number>> = {},
): Promise<SpokenLine[]> {
  const timed = { container, timestamps: true, ...query }
  const text = await kube.call<string>({ path, query: timed, signal })
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => spokenLine(container, line))
}

/** Hears containers of one pod from their beginning to their end: when a pod is gone, its logs are gone too. */
export class Transcript {
  readonly #lines: SpokenLine[] = []
  readonly #news = new LookAgain()
  readonly #source: LogSource
  #running = 0

  private constructor(source: LogSource) {
    this.#source = source
  }

  /** Resolves when it hears each of them; they must have been started. Throws ApiStatusError. */
  static async open(source: LogSource, containers: readonly string[]): Promise<Transcript> {
    const transcript = new Transcript(source)
    await Promise.all(containers.map((container) => transcript.#hear(container)))
    return transcript
  }

  get lines(): readonly SpokenLine[] {
    return inOrder(this.#lines)
  }

  /** Waits for something that is said. */
  until<R>(
    what: string,
    limitMs: number,
    predicate: (lines: readonly SpokenLine[]) => R | undefined | null | false,
  ): Promise<R> {
    return this.#wait({ for: what, limitMs, until: () => predicate(this.lines) })
  }

  /** Waits until all of them have ended; answers everything that was said. */
  async untilEnd(limitMs: number): Promise<readonly SpokenLine[]> {
    await this.#wait({ for: 'the logs to end', limitMs, until: () => this.#running === 0 })
    return this.lines
  }

  #wait<R>(wait: Pick<LookAgainWait<R>, 'for' | 'limitMs' | 'until'>): Promise<R> {
    const show = (): string => this.lines.map(showLine).join('\n') || 'not a word'
    return this.#news.until({ ...wait, signal: this.#source.signal, show })
  }

  async #hear(container: string): Promise<void> {
    const { kube, path, signal } = this.#source
    const query = { container, timestamps: true, follow: true }
    const answer = await kube.stream({ path, query }, signal)
    this.#running += 1
    const follow = async (): Promise<void> => {
      for await (const line of streamLines(answer)) {
        this.#lines.push(spokenLine(container, line))
        this.#news.tell()
      }
    }
    // A log that breaks off has ended: whoever missed a line of it says what there was.
    void follow()
      .catch(() => undefined)
      .finally(() => {
        this.#running -= 1
        this.#news.tell()
      })
  }
}
