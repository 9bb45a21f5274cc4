import { styleText } from 'node:util'

/** Where progress is shown. process.stdout is one; a test hands in its own. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export type Style = Parameters<typeof styleText>[0]

const CLEAR_LINE = '\r\u001b[2K'

/** Lines that stay, above one line that is rewritten in place. Elsewhere than on a terminal there is only the first. */
export class Terminal {
  readonly #output: Output
  readonly #coloured: boolean
  #status = ''

  constructor(output: Output, environment: NodeJS.ProcessEnv = process.env) {
    this.#output = output
    this.#coloured = output.isTTY === true && !environment.NO_COLOR
  }

  get live(): boolean {
    return this.#output.isTTY === true
  }

  line(text: string): void {
    this.#output.write(this.live ? `${CLEAR_LINE}${text}\n${this.#status}` : `${text}\n`)
  }

  /** Cut to the width of the terminal: a line that wraps can't be rewritten. */
  status(text: string): void {
    if (!this.live) return
    this.#status = text.slice(0, Math.max(0, (this.#output.columns ?? 80) - 1))
    this.#output.write(`${CLEAR_LINE}${this.#status}`)
  }

  style(style: Style, text: string): string {
    return this.#coloured ? styleText(style, text, { validateStream: false }) : text
  }
}
