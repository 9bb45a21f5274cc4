import { readFile } from 'node:fs/promises'
import { UsageError } from '../../src/contract/errors.ts'
import type { ClusterSettings, UpRequest } from '../provider.ts'
import type { ChosenImages } from './chosen-images.ts'
import { HOST_PATH, OURS } from './csi-images.ts'
import type { Engine } from './engine/engine.ts'
import { pullMissing, tagOf } from './engine-images.ts'
import { buildImages } from './from-packages/build.ts'
import { type BuiltImages, expectedImages } from './from-packages/built-images.ts'
import { buildOwnImages, findOwnImages, type OwnImages } from './from-packages/own-images.ts'
import { givenImages } from './given-images.ts'
import { metallbManifests } from './metallb-manifests.ts'
import type { Tools } from './tools.ts'
import { PUBLISHED_IMAGES } from './versions.ts'

const PARTS = [PUBLISHED_IMAGES.metallbController, PUBLISHED_IMAGES.metallbSpeaker].map(tagOf)

/** One way to come by the images of a cluster. */
export interface Candidate {
  /** For people, as in "pulled: …". */
  readonly origin: string
  /** What it would give, without getting anything; undefined where that can't be told beforehand. */
  expected(): Promise<ChosenImages | undefined>
  /** Gets it, with all that is to be in the nodes, which may take minutes. */
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
  if ((settings.nodeImage ?? settings.images) !== undefined) return [givenImages(request)]
  if (settings.fromPackages) return [built(request)]
  return [published(request), built(request)]
}

/** What is published is pulled; our own images are not, so they are built, or what needs them is left out. */
function published(request: CandidatesRequest): Candidate {
  const { settings, tools, signal, progress } = request
  const choose = (own: OwnImages | undefined): ChosenImages => {
    const workload = settings.workloadImage ?? own?.workload
    const ours = own ? [tagOf(PUBLISHED_IMAGES.csiAttacher), own.csiDriver] : []
    return {
      node: PUBLISHED_IMAGES.node,
      ...(workload !== undefined && { workload }),
      ownPodNetwork: false,
      csi: own ? ['host-path', 'shared-folder'] : ['host-path'],
      ...(own && { csiDriver: own.csiDriver }),
      sideLoaded: [...PARTS, ...HOST_PATH, ...ours, ...(workload === undefined ? [] : [workload])],
      metallb: () => metallbManifests(signal),
      origin: 'pulled',
    }
  }
  return {
    origin: 'pulled',
    expected: async () => choose(await findOwnImages(tools, signal)),
    obtain: async () => {
      await pullWorkload(request)
      await pullMissing(Object.values(PUBLISHED_IMAGES), tools, request)
      const manifests = await metallbManifests(signal)
      const own = await buildOwnImages(request).catch((error: Error) => {
        signal.throwIfAborted()
        const [why] = error.message.split('\n')
        progress(`our own images can't be built, so what needs them is left out: ${why}`)
        return undefined
      })
      return { ...choose(own), metallb: () => Promise.resolve(manifests) }
    },
  }
}

/** Everything from Go modules and distribution packages. */
function built(request: CandidatesRequest): Candidate {
  const { settings, engine, signal, progress, installPrograms } = request
  const origin = 'built from packages'
  const choose = ({ node, workload, csiDriver, metallb }: BuiltImages): ChosenImages => ({
    node,
    workload: settings.workloadImage ?? workload,
    ownPodNetwork: true,
    csi: OURS,
    csiDriver,
    sideLoaded: settings.workloadImage === undefined ? [] : [settings.workloadImage],
    metallb: () => readFile(metallb, 'utf8'),
    origin,
  })
  return {
    origin,
    expected: async () => choose(await expectedImages()),
    obtain: async () => {
      await pullWorkload(request)
      return choose(await buildImages({ engine, signal, progress, installPrograms }))
    },
  }
}

/** The one that a person named; what can't be had is said before anything is built. */
async function pullWorkload(request: CandidatesRequest): Promise<void> {
  const { workloadImage } = request.settings
  if (workloadImage !== undefined) await pullMissing([workloadImage], request.tools, request)
}
