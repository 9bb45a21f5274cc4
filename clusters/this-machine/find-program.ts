import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program is on the path, as a shell would find it; undefined where it is not. */
export function findProgram(
  name: string,
  { PATH = '' }: Readonly<NodeJS.ProcessEnv> = process.env,
): string | undefined {
  const folders = PATH.split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
