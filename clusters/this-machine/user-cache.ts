import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** A path in this user's cache folder, `$XDG_CACHE_HOME/poolwright` or `~/.cache/poolwright`. */
export function userCache(...names: readonly string[]): string {
  const set = process.env.XDG_CACHE_HOME
  // The base directory specification: a relative path is to be ignored.
  const cache = set && isAbsolute(set) ? set : join(homedir(), '.cache')
  return join(cache, 'poolwright', ...names)
}
