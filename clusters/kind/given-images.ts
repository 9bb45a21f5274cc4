import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../src/contract/errors.ts'
import type { Candidate, CandidatesRequest } from './candidates.ts'
import type { ChosenImages } from './chosen-images.ts'
import { csiOf, type LoadedImage } from './csi-images.ts'
import { INSIDE_LABEL, imageLabels, METALLB_INSIDE, pullMissing, ROLE_LABEL, tagOf } from './engine-images.ts'
import { loadArchives, loadedBefore } from './image-archives.ts'
import { metallbManifests, requirePinned } from './metallb-manifests.ts'
import { PUBLISHED_IMAGES } from './versions.ts'

const METALLB = [PUBLISHED_IMAGES.metallbController, PUBLISHED_IMAGES.metallbSpeaker].map(tagOf)

/** What a person named, from archives, the engine or a registry. */
export function givenImages(request: CandidatesRequest): Candidate {
  const { settings, tools, signal } = request
  return {
    origin: 'as given',
    expected: async () => {
      const names = settings.images === undefined ? [] : await loadedBefore(settings.images, tools, signal)
      return names && choose(await withRoles(names, request), request)
    },
    obtain: async () => {
      const names = settings.images === undefined ? [] : await loadArchives(settings.images, tools, signal)
      const loaded = await withRoles(names, request)
      const node = nodeImage(loaded, request)
      if (node === undefined)
        throw new UsageError(
          `None of the images in ${settings.images} is known for a node image (${names.join(', ')}): name it with --node-image`,
        )
      await pullMissing([node], tools, request)
      const chosen = await choose(loaded, request)
      if (!chosen) throw new UsageError(`There is no image ${node}`)
      // Before there is a node, which would have to do without.
      const { workload, sideLoaded } = chosen
      const needed = new Set([...sideLoaded, ...(workload === undefined ? [] : [workload])])
      await pullMissing([...needed].map(pinned), tools, request)
      const metallb = await chosen.metallb()
      return { ...chosen, metallb: () => Promise.resolve(metallb) }
    },
  }
}

async function withRoles(
  names: readonly string[],
  { tools, signal }: CandidatesRequest,
): Promise<readonly LoadedImage[]> {
  return Promise.all(
    names.map(async (image) => ({ image, role: (await imageLabels(image, tools, signal))?.[ROLE_LABEL] })),
  )
}

function nodeImage(loaded: readonly LoadedImage[], { settings }: CandidatesRequest): string | undefined {
  return (
    settings.nodeImage ??
    loaded.find(({ role }) => role === 'node')?.image ??
    loaded.find(({ image }) => image.includes('kindest/node'))?.image
  )
}

/** Undefined where there is no node image in the engine. */
async function choose(
  loaded: readonly LoadedImage[],
  request: CandidatesRequest,
): Promise<ChosenImages | undefined> {
  const { settings, tools, signal } = request
  const node = nodeImage(loaded, request)
  const labels = node === undefined ? undefined : await imageLabels(node, tools, signal)
  if (node === undefined || !labels) return undefined
  const inside = readInside(labels[INSIDE_LABEL] ?? '')
  const insideWorkload = inside.get('workload')
  const workload =
    settings.workloadImage ?? loaded.find(({ role }) => role === 'workload')?.image ?? insideWorkload
  const csi = csiOf(inside.get('csi'), loaded)
  return {
    node,
    ...(workload !== undefined && { workload }),
    ownPodNetwork: inside.has('no-network'),
    csi: csi.parts,
    ...(csi.driver !== undefined && { csiDriver: csi.driver }),
    sideLoaded: [
      ...(inside.has('metallb') ? [] : METALLB),
      ...csi.sideLoaded,
      ...(workload !== undefined && workload !== insideWorkload ? [workload] : []),
    ],
    metallb: () => manifestsFor(node, inside.has('metallb'), request),
    origin: 'as given',
  }
}

/** Words of the label, with what is behind their equals sign. */
function readInside(label: string): ReadonlyMap<string, string | undefined> {
  return new Map(
    label.split(' ').map((word) => {
      const [name = '', value] = word.split('=', 2)
      return [name, value]
    }),
  )
}

/** Those that belong to the images: of the node image itself, else of the folder, the build or the publisher. */
async function manifestsFor(
  node: string,
  inside: boolean,
  { settings, tools, signal }: CandidatesRequest,
): Promise<string> {
  if (inside) {
    const words = ['run', '--rm', '--network', 'none', '--entrypoint', 'cat', node, `/${METALLB_INSIDE}`]
    return tools.docker(words, { for: `reading MetalLB's manifests from ${node}`, signal })
  }
  const path = settings.images === undefined ? undefined : join(settings.images, 'metallb-native.yaml')
  const text = path && (await readFile(path, 'utf8').catch(() => undefined))
  if (!path || text === undefined) return metallbManifests(signal)
  requirePinned(text, path)
  return text
}

/** With the digest by which a published image is pinned, where this is one. */
function pinned(image: string): string {
  return Object.values(PUBLISHED_IMAGES).find((published) => tagOf(published) === image) ?? image
}
