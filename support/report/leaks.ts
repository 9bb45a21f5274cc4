import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Secret } from './secrets.ts'

/** What files were when they were last found clean, by path; a file that has not changed since still is. */
export type Clean = Map<string, string>

/**
 * The last line of defence, after everything that writes evidence has redacted it: finds secrets in any file of the
 * reports, plain, escaped or in base64, blots them out where they stand, and says which file held what, so that the
 * run fails loudly and what let it through is mended. Blocks: waiting for each of thousands of small files takes longer
 * than reading them.
 */
export function blotOutLeaks(
  reports: string,
  secrets: readonly Secret[],
  clean: Clean = new Map(),
): string[] {
  if (secrets.length === 0) return []
  const needles = secrets.flatMap(({ what, value }) =>
    spellings(value).map((text) => ({ what, bytes: Buffer.from(text) })),
  )
  const leaks: string[] = []
  for (const path of filesUnder(reports)) {
    // Before it is read: a change in between is then seen the next time.
    const state = stateOf(path)
    if (clean.get(path) === state) continue
    const content = readFileSync(path)
    const found = needles.filter(({ bytes }) => content.includes(bytes))
    clean.set(path, state)
    if (found.length === 0) continue
    for (const { bytes } of found) blot(content, bytes)
    writeFileSync(path, content)
    clean.set(path, stateOf(path))
    const what = [...new Set(found.map((each) => each.what))].join(', ')
    leaks.push(`${relative(reports, path)} held a secret of the cluster (${what}); it has been blotted out`)
  }
  return leaks
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Nobody can change a file and keep all of these. */
export function stateOf(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  return [ino, size, mtimeNs, ctimeNs].join(' ')
}

/** As it is, as JSON and addresses write it, and in base64 at each of the three places it may start in a block. */
function spellings(value: string): string[] {
  const bytes = Buffer.from(value)
  const encoded = [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and the last character also hold bits of their neighbours.
    return whole.slice(shift === 0 ? 0 : shift + 1, (bytes.length + shift) % 3 === 0 ? undefined : -1)
  })
  return [...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), ...encoded])]
}

/** Keeps the length, so that whatever holds it stays readable. */
function blot(content: Buffer, bytes: Buffer): void {
  for (let at = content.indexOf(bytes); at >= 0; at = content.indexOf(bytes, at + 1)) {
    content.fill('x', at, at + bytes.length)
  }
}
