import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { UsageError } from '../src/contract/errors.ts'
import { type Fault, type NamedTest, parseFault } from './fault.ts'
import { type Finding, judgeTests } from './judge.ts'
import { runTests } from './named-tests.ts'
import { tryFaults } from './trial.ts'

const REAL = fileURLToPath(new URL('..', import.meta.url))
const FILE = 'support/safety/sum.test.ts'
const ENDLESS = 'support/safety/endless.test.ts'

/** A project that can be told apart in four places. */
const SOURCES: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  [ENDLESS]: `import { it } from 'node:test'
it('waits', () => new Promise(() => undefined))
it('turns', () => {
  while (true);
})
`,
  'src/pool/pool.ts': 'export {}\n',
  'src/kube/zero.ts': 'export const zero = 0\n',
  'support/reference-implementation.ts': 'export {}\n',
  'support/safety/sum.ts': `import { zero } from '../../src/kube/zero.ts'
export function sum(one: number, other: number): number {
  return zero + one + other
}
`,
  [FILE]: `import { beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { sum } from './sum.ts'
it('adds (all) of it', () => expect(sum(1, 2)).to.equal(3))
it('adds', () => expect(sum(0, 0)).to.equal(0))
it('calls', () => {
  if (sum(1, 2) !== 3) throw new TypeError('it is no sum')
})
it('is red by itself', () => expect(sum(1, 2)).to.equal(4))
it('is skipped', { skip: 'no reason' }, () => undefined)
describe('with a hook', () => {
  beforeEach(() => {
    expect(sum(1, 2)).to.equal(3)
  })
  it('is prepared', () => undefined)
})
`,
}

const limit = AbortSignal.timeout(300_000)
let root: string

before(() => {
  root = mkdtempSync(join(tmpdir(), 'poolwright-trial-'))
  for (const [file, text] of Object.entries(SOURCES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  symlinkSync(join(REAL, 'node_modules'), join(root, 'node_modules'))
  symlinkSync(join(REAL, 'tsconfig.json'), join(root, 'tsconfig.json'))
})
after(() => rmSync(root, { recursive: true }))

/** A patch that makes another line of the one that adds. */
function fault(name: string, line: string, ...tests: readonly string[]): Fault {
  const patch = join(root, `${name}.patch`)
  const text = `Fault: ${name}
Rung: embedded
Caught-by: ${tests.map((test) => `test ${FILE} "${test}"`).join(', ')}

--- a/support/safety/sum.ts
+++ b/support/safety/sum.ts
@@ -1,4 +1,4 @@
 import { zero } from '../../src/kube/zero.ts'
 export function sum(one: number, other: number): number {
-  return zero + one + other
+  ${line}
 }
`
  writeFileSync(patch, text)
  return parseFault(patch, text)
}

async function tried(...faults: readonly Fault[]): Promise<readonly Finding[]> {
  return tryFaults(faults, {
    root,
    rung: 'embedded',
    width: 2,
    signal: limit,
    say: () => undefined,
    report: () => undefined,
  })
}

const SUBTRACTS = 'return zero + one - other'

describe('a fault that a test must catch', () => {
  it('is caught by the assertion of that test and of no other', async () => {
    const [caught, green, either] = await tried(
      fault('caught', SUBTRACTS, 'adds (all) of it'),
      fault('green', SUBTRACTS, 'adds'),
      fault('either', SUBTRACTS, 'adds', 'adds (all) of it'),
    )
    const finding = {
      caught: true,
      by: 'adds (all) of it',
      assertion: 'AssertionError: expected -1 to equal 3',
    }
    expect(caught).to.deep.equal(finding)
    expect(green).to.deep.equal({ caught: false, why: '1 test(s) stayed green' })
    expect(either).to.deep.equal(finding)
  })

  it('is not caught by a crash or a hook', async () => {
    const reasons = (
      await tried(fault('crash', SUBTRACTS, 'calls'), fault('hook', SUBTRACTS, 'is prepared'))
    ).map((finding) => (finding.caught ? 'caught' : finding.why))
    expect(reasons[0]).to.equal('"calls" failed without an assertion: TypeError: it is no sum')
    expect(reasons[1]).to.match(/^"is prepared" did not run to its end: hookFailed: AssertionError/)
  })

  for (const name of ['waits', 'turns'])
    it(`is not caught by a test that ${name} for ever`, async () => {
      const request = { directory: root, compileCache: join(root, 'cache'), signal: limit, limitMs: 500 }
      const finding = judgeTests(await runTests(request, [{ file: ENDLESS, name }]))
      expect(finding)
        .to.have.property('why')
        .that.matches(new RegExp(`^"${name}" did not run to its end: `))
    })

  it('is not caught where its patch does not compile or apply', async () => {
    const stale = { ...fault('stale', SUBTRACTS, 'adds'), patch: join(root, 'gone.patch') }
    const [wrong, gone] = await tried(fault('wrong', 'return one.sum(other)', 'adds (all) of it'), stale)
    expect(wrong)
      .to.have.property('why')
      .that.matches(/^the patch must be mended: .*error TS/)
    expect(gone)
      .to.have.property('why')
      .that.matches(/^the patch must be mended: .*gone\.patch/)
  })

  it('is not judged by a test that is red without it, is skipped, or is not there', async () => {
    for (const [name, why] of [
      ['is red by itself', 'expected 3 to equal 4'],
      ['is skipped', 'no reason'],
      ['add', 'no such test'],
    ] as const) {
      const refusal = await tried(fault('judged', SUBTRACTS, name)).catch((error: unknown) => error)
      expect(refusal, name).to.be.instanceOf(UsageError)
      expect(refusal).to.have.property('message').that.includes(`The unpatched test "${name}" is not green`)
      expect(refusal).to.have.property('message').that.includes(why)
    }
    const elsewhere: NamedTest = { file: 'support/safety/gone.test.ts', name: 'adds' }
    const refusal = await tried({ ...fault('judged', SUBTRACTS, 'adds'), tests: [elsewhere] }).catch(
      (error: unknown) => error,
    )
    expect(refusal).to.be.instanceOf(UsageError)
  })
})
