import type { Readable } from 'node:stream'

/**
 * Newline-ended lines of a byte stream, without the empty ones. A last line without its end is dropped: the
 * connection broke in the middle of it.
 */
export async function* streamLines(stream: Readable): AsyncGenerator<string, void, undefined> {
  let pieces: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      pieces.push(chunk.subarray(start, end))
      const line = Buffer.concat(pieces).toString('utf8')
      pieces = []
      start = end + 1
      if (line.trim() !== '') yield line
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start))
  }
}
