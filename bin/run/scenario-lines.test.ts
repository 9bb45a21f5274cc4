import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { UsageError } from '../../src/contract/errors.ts'
import { atScenarios } from './scenario-lines.ts'

const FEATURE = `Feature: lines

  Background:
    Given a world

  @first
  Scenario: one
    When it turns
      """
      text

      more
      """

  # a remark
  Rule: a rule
    @outline
    Scenario Outline: many <a>
      Then <a>:
        | x |

      Examples:
        | a |
        | 1 |
        | 2 |

      @late
      Examples:
        | a |
        | 3 |
`

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let folder: string
let file: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poolwright-lines-'))
  file = join(folder, 'lines.feature')
  await writeFile(file, FEATURE)
})
after(() => rm(folder, { recursive: true }))

async function at(lines: string): Promise<string | undefined> {
  const [path] = await atScenarios([`${file}${lines}`])
  return path?.replace(file, '')
}

describe('a line of a feature', () => {
  for (const [what, line, runs] of [
    ['a scenario’s own', ':7', ':7'],
    ['its tag', ':6', ':7'],
    ['a step', ':8', ':7'],
    ['a blank line in a doc string', ':11', ':7'],
    ['the end of a doc string', ':13', ':7'],
    ['an outline’s step', ':19', ':18'],
    ['a row of a step’s table', ':20', ':18'],
    ['a row of examples', ':25', ':25'],
    ['the heading of examples', ':23', ':24:25'],
    ['the tag of examples', ':27', ':30'],
    ['several', ':8:24', ':7:24'],
    ['two of one scenario', ':8:9', ':7'],
  ] as const)
    it(`that is ${what} runs what it belongs to`, async () => {
      expect(await at(line)).to.equal(runs)
    })

  for (const line of [1, 4, 5, 15, 16, 31, 99])
    it(`that is in no scenario, such as ${line}, is refused with the lines of those there are`, async () => {
      const error = await at(`:${line}`).catch((caught: unknown) => caught)
      expect(error).to.be.instanceOf(UsageError)
      expect((error as Error).message)
        .to.match(new RegExp(`line ${line} of .*lines.feature is in no scenario`))
        .and.to.match(/: they are at 7, 18$/)
    })

  it('that a document names is in a scenario', async () => {
    const documents = globSync('{README.md,docs/*.md}', { cwd: ROOT })
    const named = documents.flatMap((document) =>
      [...readFileSync(join(ROOT, document), 'utf8').matchAll(/features\/\S+\.feature:\d+/g)].map(
        ([at]) => at,
      ),
    )
    expect(named).not.to.be.empty
    const scenarios = await atScenarios(named.map((at) => join(ROOT, at)))
    expect(scenarios).to.have.length(named.length)
  })

  it('is left alone where there is none, or nothing that could be read', async () => {
    const paths = [file, folder, join(folder, 'none.feature:3')]
    expect(await atScenarios(paths)).to.deep.equal(paths)
  })
})
