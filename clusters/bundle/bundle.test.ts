import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { execa } from 'execa'
import { bundleProgram } from './bundle.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a bundle is one file that stands alone', async () => {
  await source('answer.ts', "export const answer: string = 'forty-two'")
  const { code } = await bundleProgram(
    'sample',
    await source('main.ts', "import { answer } from './answer.ts'; console.log(answer)"),
  )
  await rm(join(folder, 'answer.ts'))
  assert.equal(await run(code), 'forty-two')
})

test('a bundle has what Node 20 lacks', async () => {
  const main =
    "const { promise, resolve } = Promise.withResolvers<string>(); resolve('here'); console.log(await promise)"
  const { code } = await bundleProgram('sample', await source('main.ts', main))
  // As on Node 20, whichever Node runs this test.
  assert.equal(await run(`delete Promise.withResolvers;${code}`), 'here')
})

test('the name of a bundle tells its content', async () => {
  const one = await bundleProgram('sample', await source('main.ts', 'console.log(1)'))
  const same = await bundleProgram('sample', await source('main.ts', 'console.log(1) // the same'))
  const other = await bundleProgram('sample', await source('main.ts', 'console.log(2)'))
  assert.match(one.name, /^sample-[0-9a-f]{12}$/)
  assert.equal(same.name, one.name)
  assert.notEqual(other.name, one.name)
})

test('a bundle too large for a ConfigMap is refused', async () => {
  const main = `console.log(${JSON.stringify('x'.repeat(1_000_001))})`
  await assert.rejects(
    bundleProgram('sample', await source('main.ts', main)),
    /bundle of sample has \d+ bytes/,
  )
})

async function source(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

async function run(code: string): Promise<string> {
  await writeFile(join(folder, 'bundle.mjs'), code)
  const { stdout } = await execa(process.execPath, [join(folder, 'bundle.mjs')])
  return stdout
}
