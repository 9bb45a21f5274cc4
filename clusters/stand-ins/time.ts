/** Now as Kubernetes writes times: RFC 3339 in UTC, whole seconds. */
export function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}
