import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program is on the path, as a shell would find it; undefined where it is not. */
export function findProgram(
  name: string,
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
): string | undefined {
  return candidates(name, environment).find(isExecutable)
}

/** Every program of that name on the path, in the order a shell would look: for whom the first may not do. */
export function findPrograms(name: string): readonly string[] {
  return candidates(name, process.env).filter(isExecutable)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function candidates(name: string, { PATH = '' }: Readonly<NodeJS.ProcessEnv>): string[] {
  const folders = PATH.split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name))
}
