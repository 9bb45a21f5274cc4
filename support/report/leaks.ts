import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Secret } from './secrets.ts'

/**
 * The last line of defence, after everything that writes evidence has redacted it: finds secrets in any file of the
 * reports, plain, escaped or in base64, blots them out where they stand, and says which file held what, so that the
 * run fails loudly and what let it through is mended.
 */
export async function blotOutLeaks(reports: string, secrets: readonly Secret[]): Promise<string[]> {
  if (secrets.length === 0) return []
  const needles = secrets.flatMap(({ what, value }) => spellings(value).map((text) => ({ what, text })))
  const leaks: string[] = []
  for (const path of await filesUnder(reports)) {
    const content = await readFile(path)
    const found = needles.filter(({ text }) => content.includes(text))
    if (found.length === 0) continue
    for (const { text } of found) blot(content, text)
    await writeFile(path, content)
    const what = [...new Set(found.map((each) => each.what))].join(', ')
    leaks.push(`${relative(reports, path)} held a secret of the cluster (${what}); it has been blotted out`)
  }
  return leaks
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
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
function blot(content: Buffer, text: string): void {
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
    content.fill('x', at, at + Buffer.byteLength(text))
  }
}
