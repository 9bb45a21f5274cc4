import { readFile } from 'node:fs/promises'

/**
 * What plays or is a CSI driver: `host-path` is the published one, `node-folder` stands in for it where it is not to be
 * had (both are the storage class `csi`), and `shared-folder` has volumes that move (`csi-movable`).
 */
export type CsiPart = 'host-path' | 'node-folder' | 'shared-folder'

const NAMESPACE = '1-namespace.yaml'
const FILES: Readonly<Record<CsiPart, string>> = {
  'node-folder': '2-node-folder.yaml',
  'shared-folder': '3-shared-folder.yaml',
  'host-path': '4-host-path.yaml',
}

/** The manifests of these parts, as texts; none where there is no part. */
export async function readCsiManifests(parts: readonly CsiPart[]): Promise<readonly string[]> {
  const files = parts.length > 0 ? [NAMESPACE, ...parts.map((part) => FILES[part])] : []
  return Promise.all(files.map((file) => readFile(new URL(`csi/${file}`, import.meta.url), 'utf8')))
}
