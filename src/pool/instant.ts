const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** Milliseconds since 1970 of an RFC 3339 time; undefined for anything else, an impossible date included. */
export function readInstant(text: string): number | undefined {
  const [, date, time, fraction = '', zone] = RFC_3339.exec(text) ?? []
  if (!date || !time || !zone) return undefined
  // Date.parse lets 30 February become 2 March: the date must come back as it went in.
  const atUtc = Date.parse(`${date}T${time}Z`)
  if (Number.isNaN(atUtc) || !new Date(atUtc).toISOString().startsWith(`${date}T${time}`)) return undefined
  const instant = Date.parse(`${date}T${time}${fraction.slice(0, 4)}${zone.toUpperCase()}`)
  return Number.isNaN(instant) ? undefined : instant
}

/** Now, as entries carry it: RFC 3339 in UTC, with milliseconds, since leases are told apart by it. */
export function writeNow(): string {
  return new Date().toISOString()
}

/** Now, or a millisecond later where that stands there already: a change of the time alone must change the text. */
export function writeNowUnlike(known: string | undefined): string {
  const now = writeNow()
  return now === known ? new Date(Date.parse(now) + 1).toISOString() : now
}
