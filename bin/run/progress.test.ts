import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { RunEvent, ScenarioFinished } from '../../support/run-events.ts'
import { Progress } from './progress.ts'
import { Terminal } from './terminal.ts'

const SCENARIO = { id: '1', name: 'a law', location: 'a.feature:3', attempt: 0 }
const STARTED: RunEvent = { type: 'scenario-started', scenario: SCENARIO }
const PASSED: ScenarioFinished = {
  type: 'scenario-finished',
  scenario: SCENARIO,
  status: 'passed',
  retried: false,
  seconds: 1.25,
}

function show(options: { isTTY?: boolean; columns?: number }, now: () => number = () => 0) {
  const written: string[] = []
  const terminal = new Terminal({ ...options, write: (text) => written.push(text) }, { NO_COLOR: '1' })
  return { written, progress: new Progress(terminal, now) }
}

describe('progress', () => {
  it('elsewhere than on a terminal is one plain line per scenario that ended, and nothing else', () => {
    const { written, progress } = show({})
    for (const event of [{ type: 'planned', scenarios: 2 } as const, STARTED, PASSED]) progress.take(event)
    progress.stop()
    expect(written).to.deep.equal(['✔ a law (1.3 s)\n'])
  })

  it('on a terminal shows what runs, in which phase and for how long, in a line that is rewritten', () => {
    let time = 0
    const { written, progress } = show({ isTTY: true, columns: 80 }, () => time)
    progress.take({ type: 'planned', scenarios: 2 })
    progress.take(STARTED)
    time = 2_500
    progress.take({ type: 'phase', id: '1', phase: 'a node is allocated' })
    expect(written.at(-1)).to.equal('\r\u001b[2K0/2 2.5 s a law · a node is allocated')
    progress.take(PASSED)
    expect(written.join('')).to.contain('\r\u001b[2K✔ a law (1.3 s)\n')
    progress.stop()
    expect(written.at(-1)).to.equal('\r\u001b[2K')
  })

  it('cuts the live line to the terminal, since a line that wraps cannot be rewritten', () => {
    const { written, progress } = show({ isTTY: true, columns: 20 })
    progress.take({ ...STARTED, scenario: { ...SCENARIO, name: 'x'.repeat(50) } } as RunEvent)
    expect(written.at(-1)?.replace('\r\u001b[2K', '')).to.have.length(19)
    progress.stop()
  })

  it('tells a retry and a flaky pass from a plain pass', () => {
    const { written, progress } = show({})
    progress.take({ ...PASSED, status: 'failed', retried: true })
    progress.take({ ...PASSED, scenario: { ...SCENARIO, attempt: 1 } })
    expect(written).to.deep.equal([
      '↻ a law (1.3 s) will be tried again:\n',
      '≈ a law (1.3 s) passed at attempt 2\n',
    ])
  })
})
