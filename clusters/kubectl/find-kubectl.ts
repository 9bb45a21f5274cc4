import { findPrograms, isExecutable } from '../this-machine/find-program.ts'
import { builtKubectl } from './built-kubectl.ts'
import { kubectlVersion } from './kubectl-version.ts'

/** Why there is no kubectl to check with, and what to do about it. */
export const NO_KUBECTL = 'no kubectl 1.36 on the path and none built: npm run kubectl builds one'

/** The kubectl that `npm run kubectl` built, else a 1.36 on the path; never one of another minor version. */
export async function findKubectl(): Promise<string | undefined> {
  const built = await builtKubectl()
  if (isExecutable(built)) return built
  for (const program of findPrograms(process.platform === 'win32' ? 'kubectl.exe' : 'kubectl')) {
    if (/^v1\.36\.\d/.test((await kubectlVersion(program)) ?? '')) return program
  }
  return undefined
}
