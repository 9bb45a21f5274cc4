import { statSync } from 'node:fs'

/** The largest seen in the wild have a few hundred contexts and less than a tenth of this. */
const LARGEST_BYTES = 4 * 1024 * 1024

/**
 * Why this path can't hold a kubeconfig, looked up before anything of it is read: a device such as /dev/zero never ends,
 * and reading it takes all memory there is. Undefined where it may; a pipe may too, since shells hand files over by one.
 */
export function whyNoKubeconfig(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  // That it is not there is for the reader to say.
  if (!found || found.isFIFO()) return undefined
  if (!found.isFile()) return 'it is not a file'
  if (found.size > LARGEST_BYTES)
    return `it has ${found.size} bytes, and a kubeconfig at most ${LARGEST_BYTES}`
  return undefined
}
