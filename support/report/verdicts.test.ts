import { describe, it } from 'node:test'
import { expect } from 'chai'
import { SKIP_MEDIA_TYPE } from './media-types.ts'
import type { Attachment, Attempt, Scenario, Step, StepStatus } from './model.ts'
import { judgeScenario, NOT_FINISHED, NOT_RUN, NOT_SELECTED, worst } from './verdicts.ts'

describe('the verdict of a scenario', () => {
  it('is passed when every step passed', () => {
    expect(judge([attempt('passed', 'passed')])).to.deep.equal({ verdict: 'passed' })
  })

  for (const status of ['undefined', 'ambiguous', 'pending', 'unknown'] as const) {
    it(`is failed when a step is ${status}`, () => {
      const { verdict, reason } = judge([attempt('passed', status, 'skipped')])
      expect(verdict).to.equal('failed')
      expect(reason).to.equal(`When it acts: the step is ${status}`)
    })
  }

  it('is failed with the first line of what the step said', () => {
    const failed = { ...attempt('failed'), steps: [{ ...step('failed'), message: 'no node\n  at x' }] }
    expect(judge([failed])).to.deep.equal({ verdict: 'failed', reason: 'When it acts: no node' })
  })

  it('names the step without the colon that announces its table', () => {
    const failed = {
      ...attempt('failed'),
      steps: [{ ...step('failed'), text: 'a pool:', message: 'no node' }],
    }
    expect(judge([failed]).reason).to.equal('When a pool: no node')
  })

  it('is flaky when only a later try passed', () => {
    const flaky = judge([attempt('failed'), attempt('passed')])
    expect(flaky).to.deep.equal({ verdict: 'flaky', reason: 'passed only on try 2' })
  })

  it('is failed when every try failed', () => {
    expect(judge([attempt('failed'), attempt('failed')]).verdict).to.equal('failed')
  })

  it('is failed when a try failed and the next one was cut off', () => {
    const cut = { ...attempt('passed', 'running'), finished: false }
    expect(judge([attempt('failed'), cut]).verdict).to.equal('failed')
  })

  it('is skipped with the reason that the hook left', () => {
    const skipped = attempt('skipped', 'skipped')
    const left = { mediaType: SKIP_MEDIA_TYPE, body: 'no windows here', binary: false }
    expect(judge([leave(skipped, left)])).to.deep.equal({ verdict: 'skipped', reason: 'no windows here' })
  })

  it('is missing, not skipped, when the reason was the interruption', () => {
    const skipped = attempt('skipped', 'skipped')
    const left = { mediaType: SKIP_MEDIA_TYPE, body: 'The run was interrupted: SIGTERM', binary: false }
    const cutShort = leave(skipped, left)
    expect(judge([cutShort])).to.deep.equal({ verdict: 'missing', reason: NOT_FINISHED })
    const never = { ...cutShort, steps: cutShort.steps.map((each) => ({ ...each, hook: true })) }
    expect(judge([never])).to.deep.equal({ verdict: 'missing', reason: NOT_RUN })
  })

  it('is missing when an interrupted run skipped it without a reason', () => {
    expect(judgeScenario(scenario([attempt('skipped')]), true).verdict).to.equal('missing')
    expect(judgeScenario(scenario([attempt('skipped')]), false).verdict).to.equal('skipped')
  })

  it('is missing when the run ended while it ran', () => {
    const cut = { ...attempt('passed', 'running'), finished: false }
    expect(judge([cut])).to.deep.equal({ verdict: 'missing', reason: NOT_FINISHED })
  })

  it('is missing when it never ran, and says why', () => {
    expect(judge([])).to.deep.equal({ verdict: 'missing', reason: NOT_RUN })
    const unselected = { ...scenario([]), selected: false }
    expect(judgeScenario(unselected, false)).to.deep.equal({ verdict: 'unselected', reason: NOT_SELECTED })
  })

  it('is failed when it has no steps: Cucumber would pass it', () => {
    expect(judgeScenario({ ...scenario([attempt()]), stepCount: 0 }, false).verdict).to.equal('failed')
  })
})

describe('several verdicts together', () => {
  const all = ['passed', 'skipped', 'unselected', 'missing', 'flaky', 'failed'] as const

  for (const [index, verdict] of all.entries()) {
    it(`are ${verdict} when nothing heavier is among them`, () => {
      const judgements = all.slice(0, index + 1).map((each) => ({ verdict: each }))
      expect(worst(judgements, 'none').verdict).to.equal(verdict)
    })
  }

  it('are missing when there are none', () => {
    expect(worst([], 'nobody')).to.deep.equal({ verdict: 'missing', reason: 'nobody' })
  })

  it('carry the reasons of the heaviest only, each once', () => {
    const judgements = [
      { verdict: 'passed', reason: 'fine' },
      { verdict: 'skipped', reason: 'a' },
      { verdict: 'skipped', reason: 'a' },
      { verdict: 'skipped', reason: 'b' },
    ] as const
    expect(worst(judgements, 'none')).to.deep.equal({ verdict: 'skipped', reason: 'a; b' })
  })
})

function judge(attempts: Attempt[]) {
  return judgeScenario(scenario(attempts), false)
}

function scenario(attempts: Attempt[]): Scenario {
  const place = { id: 's', name: 'a law', feature: 'f', uri: 'a.feature', line: 1 }
  return { ...place, tags: [], example: {}, stepCount: 2, selected: true, attempts }
}

function attempt(...statuses: StepStatus[]): Attempt {
  return { steps: statuses.map(step), finished: true, startedAt: '2026-03-31T12:00:00Z', milliseconds: 5 }
}

function step(status: StepStatus): Step {
  return { keyword: 'When ', text: 'it acts', hook: false, status, milliseconds: 1, attachments: [] }
}

function leave(attempt: Attempt, attachment: Attachment): Attempt {
  const [first, ...others] = attempt.steps
  return first ? { ...attempt, steps: [{ ...first, attachments: [attachment] }, ...others] } : attempt
}
