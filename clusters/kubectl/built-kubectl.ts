import { familyKey } from '../kind/from-packages/build-family.ts'
import { family, programPath } from '../kind/from-packages/programs.ts'
import { artifactPath } from '../kind/from-packages/store.ts'

/** Where the kubectl made from today's inputs is, or would be: other inputs, another path. */
export async function builtKubectl(): Promise<string> {
  return programPath(artifactPath(await familyKey(family('kubectl'))), 'kubectl')
}
