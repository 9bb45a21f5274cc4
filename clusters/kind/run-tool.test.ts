import assert from 'node:assert/strict'
import { test } from 'node:test'
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
