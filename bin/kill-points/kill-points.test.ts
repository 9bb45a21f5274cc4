import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { execa } from 'execa'

const PROGRAM = fileURLToPath(new URL('kill-points.ts', import.meta.url))
/** The long form tries each; these are evenly spread, with each victim before a write and after one. */
const POINTS = 4

test('runs that are killed before and after writes leave what can be restored', {
  skip: process.platform !== 'linux' && 'looks for processes in /proc',
}, async () => {
  const { exitCode, all } = await execa(
    process.execPath,
    [PROGRAM, '--cluster', 'embedded', '--points', `${POINTS}`, '--seed', '1'],
    { reject: false, stdin: 'ignore', all: true, env: { NODE_TEST_CONTEXT: undefined } },
  )
  expect(exitCode, all).to.equal(0)
  expect(all.split('\n').at(-1)).to.equal(`${POINTS} of ${POINTS} restored`)
  expect(all).to.match(/the whole run killed .* with a foreign taint and cordon: restored/)
  expect(all).to.match(/the command line killed .* with a foreign taint and cordon: restored/)
})
