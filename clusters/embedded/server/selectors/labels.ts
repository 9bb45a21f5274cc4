import { labelValue, qualifiedName } from '../validation/names.ts'
import { SelectorError, type Token, tokens } from './label-lexer.ts'

type Labels = Readonly<Record<string, string>>
type Operator = 'exists' | '!' | '=' | '==' | '!=' | 'in' | 'notin' | 'gt' | 'lt'

interface Requirement {
  readonly key: string
  readonly operator: Operator
  readonly values: readonly string[]
}

export type LabelMatcher = (labels: Labels | undefined) => boolean

/** Reads a labelSelector as k8s.io/apimachinery/pkg/labels does, messages included. Throws SelectorError. */
export function parseLabelSelector(text: string): LabelMatcher {
  const requirements = new Parser(tokens(text)).parse()
  return (labels) => requirements.every((requirement) => matches(requirement, labels ?? {}))
}

function matches({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case 'exists':
      return value !== undefined
    case '!':
      return value === undefined
    case 'notin':
    case '!=':
      return value === undefined || !values.includes(value)
    case 'gt':
    case 'lt': {
      if (value === undefined || !/^[+-]?\d+$/.test(value)) return false
      const bound = BigInt(values[0] as string)
      return operator === 'gt' ? BigInt(value) > bound : BigInt(value) < bound
    }
    default:
      return value !== undefined && values.includes(value)
  }
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(list: readonly Token[]) {
    this.#tokens = list
  }

  parse(): Requirement[] {
    const found: Requirement[] = []
    for (;;) {
      const ahead = this.#peek()
      if (ahead.kind === 'end') return found
      if (ahead.kind !== 'identifier' && ahead.kind !== '!') {
        throw new SelectorError(`found '${ahead.text}', expected: !, identifier, or 'end of string'`)
      }
      found.push(this.#requirement())
      const next = this.#take()
      if (next.kind === 'end') return found
      if (next.kind !== ',') throw new SelectorError(`found '${next.text}', expected: ',' or 'end of string'`)
      const after = this.#peek()
      if (after.kind !== 'identifier' && after.kind !== '!') {
        throw new SelectorError(`found '${after.text}', expected: identifier after ','`)
      }
    }
  }

  #requirement(): Requirement {
    const negated = this.#peek().kind === '!'
    if (negated) this.#take()
    const key = this.#take()
    if (key.kind !== 'identifier') throw refused(`found '${key.text}', expected: identifier`)
    const wrong = qualifiedName(key.text)[0]
    if (wrong !== undefined) throw refused(`<nil>: Invalid value: ${JSON.stringify(key.text)}: ${wrong}`)
    if (negated) return { key: key.text, operator: '!', values: [] }
    const ahead = this.#peek().kind
    if (ahead === 'end' || ahead === ',') return { key: key.text, operator: 'exists', values: [] }
    const operator = this.#operator()
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#value()]
    checkValues(key.text, operator, values)
    return { key: key.text, operator, values }
  }

  #operator(): Operator {
    const token = this.#take()
    if (token.kind === '>') return 'gt'
    if (token.kind === '<') return 'lt'
    if (token.kind === '=' || token.kind === '==' || token.kind === '!=') return token.kind
    if (token.text === 'in' || token.text === 'notin') return token.text
    throw refused(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`)
  }

  #value(): string {
    const ahead = this.#peek().kind
    if (ahead === 'end' || ahead === ',') return ''
    const token = this.#take()
    if (token.kind !== 'identifier') throw refused(`found '${token.text}', expected: identifier`)
    return token.text
  }

  #values(): string[] {
    const open = this.#take()
    if (open.kind !== '(') throw refused(`found '${open.text}' expected: '('`)
    const values: string[] = []
    for (;;) {
      const token = this.#take()
      if (token.kind === 'identifier') {
        values.push(token.text)
        const next = this.#take()
        if (next.kind === ')') return values
        if (next.kind !== ',') throw refused(`found '${next.text}', expected: ',' or ')'`)
        if (this.#peek().kind === ')') values.push('')
      } else if (token.kind === ',') values.push('')
      else if (token.kind === ')') return values.length === 0 ? [''] : values
      else throw refused(`found '${token.text}', expected: ',', ')' or identifier`)
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] as Token
  }

  #take(): Token {
    const token = this.#peek()
    if (token.kind !== 'end') this.#at++
    return token
  }
}

function checkValues(key: string, operator: Operator, values: readonly string[]): void {
  if ((operator === 'gt' || operator === 'lt') && !/^[+-]?\d+$/.test(values[0] ?? '')) {
    throw refused(
      `values[0]: Invalid value: ${JSON.stringify(values[0])}: for 'Gt', 'Lt' operators, the value must be an integer`,
    )
  }
  for (const [index, value] of values.entries()) {
    const wrong = labelValue(value)[0]
    if (wrong !== undefined)
      throw refused(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${wrong}`)
  }
}

function refused(why: string): SelectorError {
  return new SelectorError(`unable to parse requirement: ${why}`)
}
