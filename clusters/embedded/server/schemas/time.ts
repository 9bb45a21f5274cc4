import { DecodeError } from './decode-error.ts'

const RFC3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/** metav1.Time: RFC 3339 in UTC, whole seconds. Throws DecodeError. */
export function time(text: string): string {
  return `${parse(text).whole}Z`
}

/** metav1.MicroTime: the same with exactly six digits of fraction. Throws DecodeError. */
export function microTime(text: string): string {
  const { whole, fraction } = parse(text)
  if (!/^\.\d{6}$/.test(fraction)) {
    const [shown, rest] = [JSON.stringify(text), JSON.stringify(text.slice(19))]
    throw new DecodeError(
      `parsing time ${shown} as "2006-01-02T15:04:05.000000Z07:00": cannot parse ${rest} as ".000000"`,
    )
  }
  return `${whole}${fraction}Z`
}

/** The present moment as metadata has it. */
export function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`
}

function parse(text: string): { whole: string; fraction: string } {
  const match = RFC3339.exec(text)
  const instant = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}${match[4]}`)
  if (match === null || Number.isNaN(instant)) {
    const shown = JSON.stringify(text)
    throw new DecodeError(
      `parsing time ${shown} as "2006-01-02T15:04:05Z07:00": cannot parse ${shown} as "2006"`,
    )
  }
  return { whole: new Date(instant).toISOString().slice(0, 19), fraction: match[3] ?? '' }
}
