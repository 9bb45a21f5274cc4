import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'

test('the API is connected without the thousand models that client-node generates', async () => {
  const hook = `
    import { registerHooks } from 'node:module'
    globalThis.loaded = []
    registerHooks({ load(url, context, next) { globalThis.loaded.push(url); return next(url, context) } })`
  const program = `
    await import('${new URL('./connect.ts', import.meta.url)}')
    process.stdout.write(JSON.stringify(globalThis.loaded.filter((url) => url.includes('/client-node/'))))`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--no-warnings',
    '--input-type=module',
    '--import',
    `data:text/javascript,${encodeURIComponent(hook)}`,
    '--eval',
    program,
  ])
  const loaded = JSON.parse(stdout) as string[]
  expect(loaded.filter((url) => url.endsWith('/dist/config.js'))).to.have.length(1)
  expect(loaded.filter((url) => /\/gen\/(models|apis|types)\//.test(url))).to.deep.equal([])
})
