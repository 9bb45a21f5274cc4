import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Undefined where no folder of the path has a program of this name. */
export function programOnPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
