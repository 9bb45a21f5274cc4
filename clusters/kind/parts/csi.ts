import { readFile } from 'node:fs/promises'

/**
 * What plays or is a CSI driver: `host-path` is the published one, `node-folder` stands in for it where it is not to be
 * had (both are the storage class `csi`), and `shared-folder` has volumes that move (`csi-movable`).
 */
export type CsiPart = 'host-path' | 'node-folder' | 'shared-folder'

const NAMESPACE = '1-namespace.yaml'
/** Where manifests name the image of our own driver, whose tag tells its content. */
const DRIVER_PLACE = 'IMAGE-CSI-DRIVER'
const FILES: Readonly<Record<CsiPart, string>> = {
  'node-folder': '2-node-folder.yaml',
  'shared-folder': '3-shared-folder.yaml',
  'host-path': '4-host-path.yaml',
}

/**
 * The manifests of these parts, as texts; none where there is no part.
 *
 * @param driver image of our own driver; needed for all but `host-path`
 */
export async function readCsiManifests(
  parts: readonly CsiPart[],
  driver?: string,
): Promise<readonly string[]> {
  const files = parts.length > 0 ? [NAMESPACE, ...parts.map((part) => FILES[part])] : []
  const texts = await Promise.all(
    files.map((file) => readFile(new URL(`csi/${file}`, import.meta.url), 'utf8')),
  )
  if (driver === undefined && texts.some((text) => text.includes(DRIVER_PLACE)))
    throw new Error(`no image of the CSI driver is known for ${parts.join(', ')}`)
  return texts.map((text) => text.replaceAll(DRIVER_PLACE, driver ?? ''))
}
