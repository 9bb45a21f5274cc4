import { type Json, mapStrings } from '../exact-json.ts'

/** The values that earlier steps captured, by name. */
export type Variables = Readonly<Record<string, string>>

const REFERENCE = /\$\{(?:repeat:([^:}]*):(\d+)|([^}]+))\}/g
const MAX_REPEATED_BYTES = 64 * 1024 * 1024

/** Replaces `${name}` by what was captured and `${repeat:x:N}` by N times x. Throws where a name was never captured. */
export function fillIn(text: string, variables: Variables): string {
  return text.replace(
    REFERENCE,
    (whole, repeated: string | undefined, times: string | undefined, name: string) => {
      if (repeated !== undefined) return repeat(repeated, Number(times))
      const value = variables[name]
      if (value === undefined) throw new Error(`${whole} was never captured`)
      return value
    },
  )
}

/** As fillIn, in every string of a body. */
export function fillInBody(body: Json, variables: Variables): Json {
  return mapStrings(body, (text) => fillIn(text, variables))
}

function repeat(text: string, times: number): string {
  if (text.length * times > MAX_REPEATED_BYTES)
    throw new Error(`${times} times ${text.length} bytes is too much`)
  return text.repeat(times)
}
