/** One line of JSON on stderr: what a stand-in did, and to which object. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Record<string, unknown>,
) => void

/** A log whose lines name the stand-in. */
export function openLog(component: string): Log {
  return (level, message, fields = {}) => {
    const line = { time: new Date().toISOString(), level, component, message, ...fields }
    process.stderr.write(`${JSON.stringify(line)}\n`)
  }
}
