/** Markup whose every interpolated value has been escaped; only `html` and `raw` make one. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | false | undefined | readonly Value[]

/** Builds markup; whatever is put into it is escaped unless it is markup already, so nothing untrusted gets through. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part))
}

/** Markup that this project wrote itself: its style sheet and script. Never for anything a run said. */
export function raw(text: string): Html {
  return new Html(text)
}

function render(value: Value): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(render).join('')
  return escapeText(String(value))
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// Control characters are invalid in HTML; those that turn the direction of writing can forge what a reader sees.
const INVISIBLE = /[[\p{Cc}\p{Bidi_Control}]--[\t\n\r]]/gv

function escapeText(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
    .replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
