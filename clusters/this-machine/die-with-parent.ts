import { findProgram } from './find-program.ts'

/**
 * What goes in front of a program so that the kernel kills it when this process ends, however that ends (prctl(2)).
 * Its own children it leaves alone. Nothing where there is no such thing.
 */
export function dieWithParent(): readonly string[] {
  if (process.platform !== 'linux') return []
  const setpriv = findProgram('setpriv')
  return setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : []
}
