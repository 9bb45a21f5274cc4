/** How a scalar stands in its entry; a rewritten value keeps that style where it can be read back from it. */
export type ScalarStyle = 'plain' | 'single' | 'double'

/** The YAML source of a value, certain to be read back as the same string by any YAML 1.1 or 1.2 reader. */
export function writeScalar(value: string, style: ScalarStyle): string {
  if (style === 'single' && isPrintable(value)) return `'${value.replaceAll("'", "''")}'`
  if (style === 'plain' && (value === '' || isPlain(value))) return value
  return `"${Array.from(value, escapeCharacter).join('')}"`
}

const PLAIN = /^[A-Za-z0-9](?:[A-Za-z0-9._/@+-]|:(?=[A-Za-z0-9]))*$/
/** Words and numbers that YAML's core or 1.1 schema would turn into something else; times are strings to all of ours. */
const RETYPED = /^(?:true|false|yes|no|on|off|y|n|null|[-+.]?[0-9][0-9a-fox_.,:+-]*|\.inf|\.nan)$/i
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function isPlain(value: string): boolean {
  return PLAIN.test(value) && (TIME.test(value) || !RETYPED.test(value))
}

/** No line breaks, controls, invisible or direction-changing characters: nothing a quoted scalar would fold or hide. */
function isPrintable(value: string): boolean {
  return /^[^\p{C}\p{Zl}\p{Zp}]*$/u.test(value)
}

function escapeCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`
  if (isPrintable(character)) return character
  const code = character.codePointAt(0) ?? 0
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0')
}
