/** A folder or file of this machine in a container, as docker's --mount takes it. */
export function bindMount(source: string, target: string, ...options: readonly 'readonly'[]): string {
  // Quoted as a field of comma-separated values: any path works.
  const quoted = `"source=${source.replaceAll('"', '""')}"`
  return ['type=bind', quoted, `target=${target}`, ...options].join(',')
}
