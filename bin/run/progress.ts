import type { RunEvent, ScenarioFinished, ScenarioReference } from '../../support/run-events.ts'
import { isFlaky } from './results.ts'
import type { Style, Terminal } from './terminal.ts'

/** How often the live line is rewritten, in milliseconds. */
const REFRESH_MS = 200

interface Running {
  readonly scenario: ScenarioReference
  readonly since: number
  phase: string
}

type Mark = readonly [symbol: string, style: Style]

const MARKS = {
  passed: ['✔', 'green'],
  failed: ['✖', 'red'],
  skipped: ['○', 'yellow'],
  flaky: ['≈', 'magenta'],
  retried: ['↻', 'magenta'],
} as const satisfies Record<string, Mark>

/** Shows a run as it goes: a line for each scenario that ended, and on a terminal what is running and for how long. */
export class Progress {
  readonly #terminal: Terminal
  readonly #now: () => number
  readonly #running = new Map<string, Running>()
  #total = 0
  #done = 0
  #preparing = ''
  readonly #ticking: NodeJS.Timeout

  constructor(terminal: Terminal, now: () => number = Date.now) {
    this.#terminal = terminal
    this.#now = now
    // Time passes without events too.
    this.#ticking = setInterval(() => this.#refresh(), REFRESH_MS).unref()
  }

  /** Takes the live line away. */
  stop(): void {
    clearInterval(this.#ticking)
    this.#running.clear()
    this.preparing('')
  }

  [Symbol.dispose](): void {
    this.stop()
  }

  /** A phase outside scenarios, such as a cluster starting. */
  preparing(text: string): void {
    this.#preparing = text
    this.#refresh()
  }

  take(event: RunEvent): void {
    if (event.type === 'planned') this.#total = event.scenarios
    if (event.type === 'scenario-started') {
      this.#running.set(event.scenario.id, {
        scenario: event.scenario,
        since: this.#now(),
        phase: 'starting',
      })
    }
    if (event.type === 'phase') {
      const running = this.#running.get(event.id)
      if (running) running.phase = event.phase
    }
    if (event.type === 'scenario-finished') this.#finish(event)
    if (event.type === 'run-failure') this.#terminal.line(event.message)
    this.#refresh()
  }

  #refresh(): void {
    this.#terminal.status(this.#liveLine())
  }

  #finish(event: ScenarioFinished): void {
    this.#running.delete(event.scenario.id)
    if (!event.retried) this.#done += 1
    const [symbol, style] = markOf(event)
    const notes = [event.reason, event.failure && firstLine(event.failure.message)].filter(Boolean)
    this.#terminal.line(
      [
        this.#terminal.style(style, symbol),
        event.scenario.name,
        this.#terminal.style('dim', `(${seconds(event.seconds)})`),
        ...(event.retried ? ['will be tried again:'] : []),
        ...(isFlaky(event) ? [`passed at attempt ${event.scenario.attempt + 1}`] : []),
        ...notes,
      ].join(' '),
    )
  }

  #liveLine(): string {
    const [oldest, ...others] = this.#running.values()
    if (!oldest) return this.#preparing
    const elapsed = seconds((this.#now() - oldest.since) / 1000)
    const beside = others.length > 0 ? ` (+${others.length})` : ''
    return `${this.#done}/${this.#total} ${elapsed} ${oldest.scenario.name} · ${oldest.phase}${beside}`
  }
}

function markOf(event: ScenarioFinished): Mark {
  if (event.retried) return MARKS.retried
  return isFlaky(event) ? MARKS.flaky : MARKS[event.status]
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`
}
