import { readFile } from 'node:fs/promises'
import { UsageError } from '../../src/contract/errors.ts'
import type { ClusterSettings, UpRequest } from '../provider.ts'
import type { ChosenImages } from './chosen-images.ts'
import type { Engine } from './engine/engine.ts'
import { INSIDE_LABEL, imageLabels, loadArchives, pullImage, ROLE_LABEL, tagOf } from './engine-images.ts'
import { buildImages } from './from-packages/build.ts'
import { type BuiltImages, expectedImages } from './from-packages/built-images.ts'
import { buildOwnImages, findOwnImages, type OwnImages } from './from-packages/own-images.ts'
import { fetchMetallbManifests } from './metallb-manifests.ts'
import type { CsiPart } from './parts/csi.ts'
import type { Tools } from './tools.ts'
import { PUBLISHED_IMAGES } from './versions.ts'

const PARTS = [PUBLISHED_IMAGES.metallbController, PUBLISHED_IMAGES.metallbSpeaker]
const HOST_PATH = [
  PUBLISHED_IMAGES.csiHostPath,
  PUBLISHED_IMAGES.csiNodeDriverRegistrar,
  PUBLISHED_IMAGES.csiProvisioner,
]
/** Inside the node images that we build. */
const OURS: readonly CsiPart[] = ['node-folder', 'shared-folder']

/** One way to come by the images of a cluster. */
export interface Candidate {
  /** For people, as in "pulled: …". */
  readonly origin: string
  /** What it would give, without getting anything; undefined where that can't be told beforehand. */
  expected(): Promise<ChosenImages | undefined>
  /** Gets it, which may take minutes. */
  obtain(): Promise<ChosenImages>
}

export interface CandidatesRequest {
  readonly settings: ClusterSettings
  readonly engine: Engine
  readonly tools: Pick<Tools, 'docker'>
  readonly signal: AbortSignal
  readonly progress: (line: string) => void
  readonly installPrograms: UpRequest['installPrograms']
}

/** In the order to try them; a person's own choice is the only one. */
export function candidates(request: CandidatesRequest): readonly Candidate[] {
  const { settings } = request
  if (settings.fromPackages && (settings.nodeImage ?? settings.images) !== undefined)
    throw new UsageError('--from-packages builds the images: it goes with neither --node-image nor --images')
  if ((settings.nodeImage ?? settings.images) !== undefined) return [given(request)]
  if (settings.fromPackages) return [built(request)]
  return [published(request), built(request)]
}

/** What a person named, from an archive, the engine or a registry. */
function given({ settings, tools, signal, progress }: CandidatesRequest): Candidate {
  const origin = 'as given'
  const choose = async (node: string, workload: string | undefined): Promise<ChosenImages | undefined> => {
    const labels = await imageLabels(node, tools, signal)
    if (!labels) return undefined
    const inside = (labels[INSIDE_LABEL] ?? '').split(' ')
    const insideWorkload = inside.find((part) => part.startsWith('workload='))?.slice('workload='.length)
    const chosen = workload ?? insideWorkload
    return {
      node,
      ...(chosen !== undefined && { workload: chosen }),
      ownPodNetwork: inside.includes('no-network'),
      csi: inside.includes('csi') ? OURS : [],
      sideLoaded: [
        ...(inside.includes('metallb') ? [] : PARTS.map(tagOf)),
        ...(workload !== undefined && workload !== insideWorkload ? [workload] : []),
      ],
      metallb: () => metallbManifests(signal),
      origin,
    }
  }
  return {
    origin,
    expected: async () =>
      settings.nodeImage === undefined ? undefined : choose(settings.nodeImage, settings.workloadImage),
    obtain: async () => {
      const loaded = settings.images === undefined ? [] : await loadArchives(settings.images, tools, signal)
      const roles = await Promise.all(
        loaded.map(async (image) => ({ image, labels: await imageLabels(image, tools, signal) })),
      )
      const ofRole = (role: string): string | undefined =>
        roles.find(({ labels }) => labels?.[ROLE_LABEL] === role)?.image
      const node =
        settings.nodeImage ?? ofRole('node') ?? loaded.find((image) => image.includes('kindest/node'))
      if (node === undefined)
        throw new UsageError(
          `None of the images in ${settings.images} is known for a node image (${loaded.join(', ')}): name it with --node-image`,
        )
      const workload = settings.workloadImage ?? ofRole('workload')
      for (const image of [node, ...(workload === undefined ? [] : [workload])]) {
        if (await imageLabels(image, tools, signal)) continue
        progress(`pulling ${image}`)
        await pullImage(image, tools, signal)
      }
      const chosen = await choose(node, workload)
      if (!chosen) throw new UsageError(`There is no image ${node}`)
      return chosen
    },
  }
}

/** What is published is pulled; our own images are not, so they are built, or what needs them is left out. */
function published(request: CandidatesRequest): Candidate {
  const { settings, tools, signal, progress } = request
  const choose = (own: OwnImages | undefined): ChosenImages => {
    const workload = settings.workloadImage ?? own?.workload
    const ours = own ? [PUBLISHED_IMAGES.csiAttacher, own.csiDriver] : []
    return {
      node: PUBLISHED_IMAGES.node,
      ...(workload !== undefined && { workload }),
      ownPodNetwork: false,
      csi: own ? ['host-path', 'shared-folder'] : ['host-path'],
      sideLoaded: [...PARTS, ...HOST_PATH, ...ours, ...(workload === undefined ? [] : [workload])].map(tagOf),
      metallb: () => metallbManifests(signal),
      origin: 'pulled',
    }
  }
  return {
    origin: 'pulled',
    expected: async () => choose(await findOwnImages(tools, signal)),
    obtain: async () => {
      for (const image of Object.values(PUBLISHED_IMAGES)) {
        if (await imageLabels(image, tools, signal)) continue
        progress(`pulling ${image}`)
        await pullImage(image, tools, signal)
      }
      const own = await buildOwnImages(request).catch((error: Error) => {
        signal.throwIfAborted()
        const [why] = error.message.split('\n')
        progress(`our own images can't be built, so what needs them is left out: ${why}`)
        return undefined
      })
      return choose(own)
    },
  }
}

/** Everything from Go modules and distribution packages. */
function built({ settings, engine, signal, progress, installPrograms }: CandidatesRequest): Candidate {
  const origin = 'built from packages'
  const choose = ({ node, workload, metallb }: BuiltImages): ChosenImages => ({
    node,
    workload: settings.workloadImage ?? workload,
    ownPodNetwork: true,
    csi: OURS,
    sideLoaded: settings.workloadImage === undefined ? [] : [settings.workloadImage],
    metallb: () => readFile(metallb, 'utf8'),
    origin,
  })
  return {
    origin,
    expected: async () => choose(await expectedImages()),
    obtain: async () => choose(await buildImages({ engine, signal, progress, installPrograms })),
  }
}

/** Those of the build, where there was one; else from where they are published. */
async function metallbManifests(signal: AbortSignal): Promise<string> {
  const { metallb } = await expectedImages()
  return readFile(metallb, 'utf8').catch(() => fetchMetallbManifests(signal))
}
