/** One token of a label selector; `text` is what an error message shows. */
export interface Token {
  readonly kind: 'identifier' | 'end' | ',' | '(' | ')' | '!' | '=' | '==' | '!=' | '<' | '>'
  readonly text: string
}

/** A label selector cannot be read; the message is Kubernetes' own. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SelectorError'
  }
}

const TOKEN = /\s*(==|!=|[=!<>(),]|[^\s=!<>(),]+)/y

/** Splits a label selector; the last token is the end. */
export function tokens(text: string): Token[] {
  const found: Token[] = []
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const part = match[1] as string
    const kind = /^(==|!=|[=!<>(),])$/.test(part) ? (part as Token['kind']) : 'identifier'
    found.push({ kind, text: part })
  }
  return [...found, { kind: 'end', text: '' }]
}
