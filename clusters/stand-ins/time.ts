/** Now as Kubernetes writes times: RFC 3339 in UTC, whole seconds. */
export function now(): string {
  return rfc3339(Date.now())
}

/** Milliseconds since 1970 as Kubernetes writes times. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}
