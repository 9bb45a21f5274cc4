import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the one we build reports. */
export const KUBECTL_VERSION = 'v1.36.3'

/** The Go module that pins kubectl and everything it is made of. */
export const MODULE_FOLDER = fileURLToPath(new URL('./module/', import.meta.url))
export const PACKAGE = 'k8s.io/kubernetes/cmd/kubectl'

/** Without them a build from a module reports v0.0.0-master. */
export const LINKER_FLAGS = [
  '-s',
  '-w',
  `-X k8s.io/component-base/version.gitVersion=${KUBECTL_VERSION}`,
  '-X k8s.io/component-base/version.gitMajor=1',
  '-X k8s.io/component-base/version.gitMinor=36',
  `-X k8s.io/client-go/pkg/version.gitVersion=${KUBECTL_VERSION}`,
].join(' ')

/** Where builds are kept, one folder for each set of inputs. */
export function buildsFolder(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'poolwright', 'kubectl')
}

/** Where the kubectl made from today's inputs is, or would be: other inputs, another path. */
export async function builtKubectl(): Promise<string> {
  const digest = createHash('sha256')
  for (const file of ['go.mod', 'go.sum']) digest.update(await readFile(join(MODULE_FOLDER, file)))
  digest.update(`${LINKER_FLAGS} ${process.platform} ${process.arch}`)
  const program = process.platform === 'win32' ? 'kubectl.exe' : 'kubectl'
  return join(buildsFolder(), digest.digest('hex').slice(0, 16), program)
}
