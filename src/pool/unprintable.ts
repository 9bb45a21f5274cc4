/** The first character that a single line of text can't have, as `U+000A`; undefined where there is none. */
export function unprintableIn(text: string): string | undefined {
  const code = /[\p{Cc}\p{Zl}\p{Zp}]/u.exec(text)?.[0].codePointAt(0)
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
