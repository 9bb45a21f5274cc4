import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { FEATURES, openSandbox, type Sandbox, sample } from './fixtures/command-line.ts'

let sandbox: Sandbox
before(async () => {
  sandbox = await openSandbox()
})
after(async () => {
  await sandbox.emptied()
  await sandbox[Symbol.asyncDispose]()
})

const test = (...words: string[]) => sandbox.run(...sample(sandbox, ...words))
const acceptance = () => JSON.parse(readFileSync(join(sandbox.reports, 'acceptance.json'), 'utf8'))

describe('a run of scenarios', () => {
  it('exits 0 when all that ran passed, and skipped ones say why without changing that', async () => {
    const { exitCode, stdout } = await test('--tags', '@good or @gated', '--parallel', '2')
    expect(stdout).to.match(/✔ one that passes/)
    expect(stdout).to.match(/○ one that asks for what is not there .*this rung has no such thing/)
    expect(stdout).to.match(/Scenarios on embedded v1\.36\.\d+: 1 passed, 1 skipped/)
    expect(exitCode).to.equal(0)
    expect(acceptance().scenarios).to.equal(1)
    // Each of several workers has a cluster of its own.
    const { kubeconfigs } = JSON.parse(readFileSync(join(sandbox.reports, 'run.json'), 'utf8'))
    expect(new Set(kubeconfigs)).to.have.property('size', 2)
  })

  it('runs the scenario that contains the line which is named', async () => {
    const words = sample(sandbox).slice(2)
    const { exitCode, stdout } = await sandbox.run('test', join(FEATURES, 'sample.feature:5'), ...words)
    expect(stdout)
      .to.match(/✔ one that passes/)
      .and.to.match(/: 1 passed(, \d+ not selected)? \(/)
    expect(exitCode).to.equal(0)
  })

  it('exits 1 when one failed, and names the step and its place', async () => {
    const { exitCode, stdout } = await test('--tags', '@good or @bad')
    expect(stdout).to.match(
      /a step fails \(features\/sample\.feature:10\)\n +Error: expected an apple, found a pear/,
    )
    expect(stdout).to.match(/1 passed, 1 failed/)
    expect(exitCode).to.equal(1)
  })

  it('exits 1 when a step has no definition, and names the nearest there are', async () => {
    const { exitCode, stdout } = await test('--tags', '@misspelt')
    expect(stdout).to.match(/No step definition .* The nearest there are:\n +a step that passes\n/)
    expect(exitCode).to.equal(1)
  })

  it('exits 1 when one passed only at another attempt', async () => {
    const { exitCode, stdout } = await test('--tags', '@flaky', '--retry', '2')
    expect(stdout).to.match(/Flaky: one that passes at the second attempt .* passed only at attempt 2/)
    expect(stdout).to.match(/0 passed, 1 flaky/)
    expect(exitCode).to.equal(1)
  })

  it('exits 1 when a required criterion did not pass, although all that ran did', async () => {
    const { exitCode, stdout } = await test('--tags', '@good', '--require', 'NP-2.release')
    expect(stdout).to.match(/Required: NP-2\.release is missing/)
    expect(exitCode).to.equal(1)
  })

  it('exits 1 when a secret of the cluster got into its reports, although that cluster is gone by then', async () => {
    const { exitCode, stdout } = await test('--tags', '@indiscreet')
    // Not a report's: a folder that has it takes no further reports.
    rmSync(join(sandbox.reports, 'indiscreet.txt'))
    expect(stdout).to.match(/indiscreet\.txt held a secret of the cluster/)
    expect(exitCode).to.equal(1)
  })

  it('exits 1 when Cucumber itself ends in the middle, and still leaves a verdict', async () => {
    const { exitCode, stdout } = await test('--tags', '@crash')
    expect(stdout).to.match(/The run itself failed/)
    expect(exitCode).to.equal(1)
    expect(existsSync(join(sandbox.reports, 'acceptance.json'))).to.equal(true)
  })
})

describe('a command that can not run', () => {
  /** What was asked for, and the one line that must come of it. */
  const REFUSALS: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown option', ['--colour'], /unknown option '--colour'/],
    ['an unknown rung', ['--cluster', 'moon'], /moon.*there is embedded/],
    ['a name for clusters that have none', ['--name', 'mine'], /a run's own: leave out --name/],
    ['a tag expression that does not parse', ['--tags', '@good and ('], /Tag expression "@good and \("/],
    ['a path that is not there', ['nowhere.feature'], /no feature file or folder nowhere\.feature/],
    ['a criterion that is not there', ['--require', 'NP-99'], /no criterion or cell "NP-99"/],
    ['a number that is none', ['--parallel', 'two'], /whole number from 1 to 64/],
    ['more workers than a machine bears', ['--parallel', '9999'], /whole number from 1 to 64/],
  ]
  it('exits 2 with one clear line for a line that is in no scenario', async () => {
    const { exitCode, stderr } = await sandbox.run(
      'test',
      join(FEATURES, 'sample.feature:1'),
      ...sample(sandbox).slice(2),
    )
    expect(stderr).to.match(/line 1 of .*sample\.feature is in no scenario: they are at 4, 8, 13, /)
    expect(stderr.trim().split('\n')).to.have.length(1)
    expect(exitCode).to.equal(2)
  })

  const FOLDERS: typeof REFUSALS = [
    [
      'reports where no folder can be',
      ['--reports', '/proc/x'],
      /\/proc\/x: no folder can be made in \/proc /,
    ],
    ['reports into a file', ['--reports', '/etc/passwd'], /\/etc\/passwd is no folder/],
    ['reports below a file', ['--reports', '/etc/passwd/a/b'], /a\/b: \/etc\/passwd is no folder/],
    ['reports where no file can be', ['--reports', '/proc'], /nothing can be made in it .*--reports/],
  ]
  for (const [what, words, line] of [...REFUSALS, ...(process.platform === 'linux' ? FOLDERS : [])]) {
    it(`exits 2 with one clear line for ${what}`, async () => {
      const { exitCode, stdout, stderr } = await test(...words)
      expect(stderr).to.match(line)
      expect(stderr.trim().split('\n')).to.have.length(1)
      expect(stdout.trim()).to.equal('')
      expect(exitCode).to.equal(2)
    })
  }

  const EXPORTS = /expected a module whose default export is an Implementation, \{ name, connect \}/
  const MODULES: readonly (readonly [string, string, string, RegExp])[] = [
    ['a text', 'README.md', '# Hello', /README\.md is no .* found one that can't be loaded: .*"\.md"/],
    ['a module that throws', 'a.mjs', 'throw new Error("no key\\nhere")', /can't be loaded: Error: no key$/],
    ['a module that does not parse', 'b.ts', 'const', /can't be loaded: SyntaxError/],
    [
      'other exports',
      'c.mjs',
      'export const connect = 1',
      /without a default export, which exports connect$/,
    ],
    ['no connect', 'd.mjs', 'export default { name: "x" }', /default export without connect, a function$/],
    ['a default that is none', 'e.mjs', 'export default 1', /a default export that is a number$/],
    ['a folder', '.', '', /found a folder$/],
  ]
  for (const [what, file, text, line] of MODULES) {
    it(`exits 2 with one clear line for an implementation that is ${what}`, async () => {
      const path = join(sandbox.folder, file)
      if (text) writeFileSync(path, text)
      const { exitCode, stderr, stdout } = await test('--tags', '@good', '--implementation', path)
      expect(stderr.trim()).to.match(line).and.to.match(EXPORTS)
      expect(stderr.trim().split('\n')).to.have.length(1)
      expect(stdout.trim()).to.equal('')
      expect(exitCode).to.equal(2)
    })
  }

  for (const [what, connect, line] of [
    ['lacks operations', 'async () => ({ stats() {} })', /found one without allocate, .*readiness$/],
    ['can not connect', 'async () => { throw new Error("no key") }', /connect\(\) failed .*: Error: no key$/],
  ] as const) {
    it(`exits 2 with one clear line, before any scenario, for an implementation that ${what}`, async () => {
      const path = join(sandbox.folder, 'partial.mjs')
      writeFileSync(path, `export default { name: 'partial', connect: ${connect} }`)
      const { exitCode, stderr, stdout } = await test('--tags', '@good', '--implementation', path)
      expect(stderr.trim()).to.match(line).and.to.include(path)
      expect(stderr.trim().split('\n')).to.have.length(1)
      expect(stdout).not.to.match(/one that passes/)
      expect(exitCode).to.equal(2)
      expect(existsSync(join(sandbox.reports, 'acceptance.json'))).to.equal(false)
    })
  }

  it('exits 2 with one clear line for a feature that does not parse', async () => {
    const broken = join(sandbox.folder, 'broken.feature')
    writeFileSync(broken, 'Feature: x\n  Scenario: y\n    Given z\n    | a |\n    | b | c |\n')
    const { exitCode, stderr } = await test(broken)
    expect(stderr).to.match(/broken\.feature can't be read: .*\(5:5\): inconsistent cell count/)
    expect(stderr.trim().split('\n')).to.have.length(1)
    expect(exitCode).to.equal(2)
  })

  it('exits 2 for no scenario that matches, and leaves no old verdict that could pass for its own', async () => {
    mkdirSync(sandbox.reports, { recursive: true })
    writeFileSync(join(sandbox.reports, 'acceptance.json'), '{}')
    const { exitCode, stderr } = await test('--tags', '@nowhere')
    expect(stderr).to.match(/^poolwright: No scenario .*"@nowhere"[^\n]*\n?$/)
    expect(exitCode).to.equal(2)
    expect(existsSync(join(sandbox.reports, 'acceptance.json'))).to.equal(false)
  })

  it('exits 2 for an unknown command', async () => {
    const { exitCode, stderr } = await sandbox.run('fly')
    expect(stderr).to.match(/^poolwright: unknown command 'fly'$/m)
    expect(exitCode).to.equal(2)
  })
})
