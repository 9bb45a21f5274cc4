import { readFile } from 'node:fs/promises'
import { UsageError } from '../../src/contract/errors.ts'
import type { ClusterSettings, UpRequest } from '../provider.ts'
import type { ChosenImages } from './chosen-images.ts'
import type { Engine } from './engine/engine.ts'
import { INSIDE_LABEL, imageLabels, loadArchives, pullImage, ROLE_LABEL, tagOf } from './engine-images.ts'
import { buildImages } from './from-packages/build.ts'
import { type BuiltImages, expectedImages } from './from-packages/built-images.ts'
import { fetchMetallbManifests } from './metallb-manifests.ts'
import type { Tools } from './tools.ts'
import { PUBLISHED_IMAGES } from './versions.ts'

const PARTS = [PUBLISHED_IMAGES.metallbController, PUBLISHED_IMAGES.metallbSpeaker]

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
      csi: inside.includes('csi'),
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

/** The published node image; our own images are not published, so what needs them is there only where they were built. */
function published({ settings, tools, signal, progress }: CandidatesRequest): Candidate {
  const origin = 'pulled'
  const choose = async (): Promise<ChosenImages> => {
    const workload = settings.workloadImage ?? (await builtWorkload(tools, signal))
    return {
      node: PUBLISHED_IMAGES.node,
      ...(workload !== undefined && { workload }),
      ownPodNetwork: false,
      // Our driver's image is made only together with a node image that has it inside.
      csi: false,
      sideLoaded: [...PARTS.map(tagOf), ...(workload === undefined ? [] : [workload])],
      metallb: () => fetchMetallbManifests(signal),
      origin,
    }
  }
  return {
    origin,
    expected: choose,
    obtain: async () => {
      for (const image of [PUBLISHED_IMAGES.node, ...PARTS]) {
        if (await imageLabels(image, tools, signal)) continue
        progress(`pulling ${image}`)
        await pullImage(image, tools, signal)
      }
      return choose()
    },
  }
}

async function builtWorkload(tools: Pick<Tools, 'docker'>, signal: AbortSignal): Promise<string | undefined> {
  const { workload } = await expectedImages()
  return (await imageLabels(workload, tools, signal)) ? workload : undefined
}

/** Everything from Go modules and distribution packages. */
function built({ settings, engine, signal, progress, installPrograms }: CandidatesRequest): Candidate {
  const origin = 'built from packages'
  const choose = ({ node, workload, metallb }: BuiltImages): ChosenImages => ({
    node,
    workload: settings.workloadImage ?? workload,
    ownPodNetwork: true,
    csi: true,
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
