import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { identify } from '../../src/process/process-identity.ts'
import { dieWithParent } from '../this-machine/die-with-parent.ts'
import { runTool, ToolError } from './run-tool.ts'

const run = { for: 'counting nodes', signal: new AbortController().signal }
const script = (text: string): string[] => ['-e', text]

test('a tool’s standard output is its answer, whatever it says beside', async () => {
  const said = await runTool(process.execPath, script('console.error("noise"); console.log("answer")'), run)
  assert.equal(said, 'answer')
})

test('a failure says what was being done, how it ended and the last that was said', async () => {
  const failing = runTool(
    process.execPath,
    script('for (let i = 0; i < 50; i++) console.error("line " + i); process.exit(3)'),
    run,
  )
  await assert.rejects(failing, (error: unknown) => {
    assert.ok(error instanceof ToolError)
    assert.match(error.message, /^counting nodes: .* ended with code 3\n {2}line 30\n/)
    assert.match(error.message, /line 49$/)
    assert.match(error.output, /^line 0\n/)
    return true
  })
})

test('a program that is missing is named', async () => {
  await assert.rejects(
    runTool('no-such-program', [], run),
    /counting nodes: no-such-program could not be run/,
  )
})

test('a tool that hangs is ended at its limit, and at once when nobody waits any more', async () => {
  const hang = script('setInterval(() => {}, 1000)')
  await assert.rejects(runTool(process.execPath, hang, { ...run, limitMs: 200 }), /took longer than 0.2 s/)
  const stop = new AbortController()
  const hanging = runTool(process.execPath, hang, { ...run, signal: stop.signal })
  stop.abort(new Error('interrupted'))
  await assert.rejects(hanging, /interrupted/)
})

const alone = dieWithParent().length === 0 && 'no setpriv on this machine'

test('a tool ends with the process that runs it, even where that is killed', { skip: alone }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'run-tool-'))
  const pidFile = join(folder, 'pid')
  const tool = `require('fs').writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1000)`
  const module = new URL('./run-tool.ts', import.meta.url).href
  const runner = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { runTool } = await import(${JSON.stringify(module)})
      const words = ['--eval', ${JSON.stringify(tool)}, ${JSON.stringify(pidFile)}]
      await runTool(process.execPath, words, { for: 'hanging', signal: new AbortController().signal })`,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  let pid = 0
  try {
    while (pid === 0) pid = Number(await readFile(pidFile, 'utf8').catch(() => '0'))
    runner.kill('SIGKILL')
    assert.equal(await ends(pid), true)
  } finally {
    runner.kill('SIGKILL')
    if (pid !== 0 && (await identify(pid))) process.kill(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})

/** Whether a process is gone within seconds: a tool that its runner doesn't take along never is. */
async function ends(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 500; attempt++) {
    if ((await identify(pid)) === undefined) return true
    await delay(10)
  }
  return false
}
