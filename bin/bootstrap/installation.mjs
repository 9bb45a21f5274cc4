import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} Locked
 * @typedef {Readonly<Record<string, Locked>>} Packages
 */

/**
 * Why node_modules is not what package-lock.json asks for, or undefined where it is. npm writes its own list of what it
 * installed as the very last thing, so an install that was cut short has none, or that of the install before.
 *
 * @param {string} root
 * @returns {string | undefined}
 */
export function whatIsMissing(root) {
  const locked = readPackages(join(root, 'package-lock.json'))
  if (!locked)
    throw new Error(`${join(root, 'package-lock.json')} can't be read: restore it from version control`)
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (!installed) return 'nothing is installed, or an install was cut short'
  return (
    firstMissing(locked, installed) ??
    firstUnwanted(locked, installed) ??
    firstGone(root, installed) ??
    undefined
  )
}

/**
 * Packages by the folder they go to; the project itself is not one of them.
 *
 * @param {string} path
 * @returns {Packages | undefined}
 */
function readPackages(path) {
  try {
    const { '': _project, ...packages } = JSON.parse(readFileSync(path, 'utf8')).packages
    return packages
  } catch {
    return undefined
  }
}

/**
 * @param {Packages} locked
 * @param {Packages} installed
 */
function firstMissing(locked, installed) {
  for (const [folder, wanted] of Object.entries(locked)) {
    const found = installed[folder]
    // npm leaves out an optional package that is for other systems.
    if (!found && wanted.optional) continue
    if (!found) return `${folder} is not installed`
    if (found.version !== wanted.version || found.integrity !== wanted.integrity) {
      return `${folder} is ${found.version}, not ${wanted.version}`
    }
  }
  return undefined
}

/**
 * @param {Packages} locked
 * @param {Packages} installed
 */
function firstUnwanted(locked, installed) {
  const folder = Object.keys(installed).find((candidate) => !locked[candidate])
  return folder && `${folder} does not belong there`
}

/**
 * @param {string} root
 * @param {Packages} installed
 */
function firstGone(root, installed) {
  const folder = Object.keys(installed).find(
    (candidate) => !existsSync(join(root, candidate, 'package.json')),
  )
  return folder && `${folder} is gone`
}
