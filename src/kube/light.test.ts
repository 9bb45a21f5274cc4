import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'

describe('src/kube', () => {
  it('loads no package at all until a YAML kubeconfig needs one', async () => {
    const program = `
      for (const file of ['client', 'kubeconfig', 'list-watch', 'wait-for', 'paths'])
        await import(new URL(file + '.ts', '${import.meta.url}'))
      const { createRequire } = await import('node:module')
      const cached = Object.keys(createRequire('${import.meta.url}').cache)
      process.stdout.write(JSON.stringify([...cached, ...globalThis.loaded].filter((url) => url.includes('node_modules'))))`
    const hook = `globalThis.loaded = []
      const { registerHooks } = await import('node:module')
      registerHooks({ load(url, context, next) { globalThis.loaded.push(url); return next(url, context) } })`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--no-warnings',
      '--input-type=module',
      '--import',
      `data:text/javascript,${encodeURIComponent(hook)}`,
      '--eval',
      program,
    ])
    expect(JSON.parse(stdout)).to.deep.equal([])
  })
})
