import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { Acceptance } from '../acceptance.ts'
import type { JudgedScenario } from '../matrix.ts'
import { judgeScenario } from '../verdicts.ts'
import { attention } from './attention.ts'

const STACK =
  '    at PoolwrightWorld.<anonymous> (file:///somewhere/steps/allocation.ts:94:46)\n    at later:1:2'
const LONG = `ConfigMap windows-node-pool: ${'the object has been modified; '.repeat(20)}`

describe('what needs attention', () => {
  it('holds the end of a long first line, where expected and actual stand', () => {
    const shown = attentionTo(
      `AssertionError: ${LONG}: expected 'ApiRejected' to equal 'EntryExists'\n${STACK}`,
    )
    expect(shown).to.contain('AssertionError: ConfigMap windows-node-pool')
    expect(shown).to.contain('expected &#39;ApiRejected&#39; to equal &#39;EntryExists&#39;')
    expect(shown.length).to.be.lessThan(1500)
  })

  it('shows the difference that the first line only counts, and no stack', () => {
    const shown = attentionTo(
      `AssertionError: the pool: expected [ …(3) ] to deeply equal [ …(2) ]\n    + expected - actual\n\n     [\n       "a"\n    -  "b"\n     ]\n\n${STACK}`,
    )
    expect(shown).to.contain('<span class="removed">-  &quot;b&quot;</span>')
    expect(shown).to.contain('<span>   &quot;a&quot;</span>')
    expect(shown).not.to.contain('steps/allocation.ts')
  })

  it('does not repeat what the first line says', () => {
    const shown = attentionTo(
      `AssertionError: the node: expected 'a' to equal 'b'\n    + expected - actual\n\n    -a\n    +b\n\n${STACK}`,
    )
    expect(shown).to.contain('expected &#39;a&#39; to equal &#39;b&#39;').and.not.to.contain('removed')
  })

  it('shows what a wait last saw', () => {
    expect(attentionTo(`Error: not within 5 s\nlast seen: available\n${STACK}`)).to.contain(
      'last seen: available',
    )
  })

  it('cuts a difference that would fill the page', () => {
    const lines = Array.from({ length: 400 }, (_, at) => `    -  "line ${at}"`).join('\n')
    const shown = attentionTo(`AssertionError: all\n    + expected - actual\n\n${lines}\n\n${STACK}`)
    expect(shown).to.contain('&quot;line 5&quot;').and.not.to.contain('&quot;line 100&quot;')
    expect(shown).to.match(/… \d+ more lines/)
  })

  it('puts scenarios together only where they miss the same', () => {
    const [b, c] = ['b', 'c'].map(
      (what) =>
        `AssertionError: expected [ …(2) ] to be empty\n    + expected - actual\n\n    -${what}\n${STACK}`,
    )
    expect(attentionTo(b ?? '', b ?? '')).to.contain('2 scenarios: AssertionError')
    expect(attentionTo(b ?? '', c ?? '')).not.to.contain('2 scenarios')
  })
})

function attentionTo(...messages: string[]): string {
  const scenarios = messages.map(failed)
  const matrix = { families: [], scenarios, tagErrors: [] }
  return attention({ matrix, summary: { problems: [], unmet: [] } } as unknown as Acceptance).text
}

function failed(message: string, index: number): JudgedScenario {
  const step = { keyword: 'Then ', text: 'it holds', hook: false, milliseconds: 1, attachments: [], message }
  const attempt = {
    steps: [{ ...step, status: 'failed' as const }],
    finished: true,
    startedAt: '',
    milliseconds: 1,
  }
  const place = { id: `s${index}`, name: 'a law', feature: 'f', uri: 'a.feature', line: 1 }
  const scenario = { ...place, tags: [], example: {}, stepCount: 1, selected: true, attempts: [attempt] }
  return { scenario, cells: [], ...judgeScenario(scenario, false) }
}
