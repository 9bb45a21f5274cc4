import { ROLE_LABEL } from '../engine-images.ts'
import type { Tools } from '../tools.ts'
import { buildWorkloadImage, importTools } from './build-workload-image.ts'
import { dropUnusedGoCaches } from './go.ts'
import { INPUTS_LABEL, importProgram } from './image-build.ts'
import { type BuildRequest, type ImageJob, missingImages, runImageJob } from './image-job.ts'
import { type ImagePlan, planImages } from './image-plan.ts'
import { programPath } from './programs.ts'

/** Those of our images that nobody publishes, in the engine. */
export interface OwnImages {
  readonly workload: string
  readonly csiDriver: string
}

const IMAGES: ImageJob['images'] = ['workload', 'csiDriver']

/** They, where both stand; undefined where they are still to be built. */
export async function findOwnImages(
  tools: Pick<Tools, 'docker'>,
  signal: AbortSignal,
): Promise<OwnImages | undefined> {
  const plan = await planImages()
  const missing = await missingImages({ images: IMAGES }, plan, { tools, signal })
  return missing.length === 0 ? ownImages(plan) : undefined
}

/** Builds what is missing of them: for clusters whose other images are pulled. Minutes where nothing was built yet. */
export async function buildOwnImages(request: BuildRequest): Promise<OwnImages> {
  const plan = await planImages()
  const { signal, progress } = request
  try {
    await runImageJob(
      {
        images: IMAGES,
        programs: ['csi-driver'],
        trees: ['tools'],
        besides: [],
        make: async (missing, build) => {
          progress('building the workload image and the CSI driver\u2019s')
          if (missing.includes(plan.workload)) {
            await importTools(plan, build)
            await buildWorkloadImage(plan, build)
          }
          const driver = programPath(plan.families.get('csi-driver') ?? '', 'poolwright-csi')
          const { image, inputs } = plan.csiDriver
          const labels = [`LABEL ${INPUTS_LABEL}=${inputs} ${ROLE_LABEL}=csi-driver`]
          await importProgram(image, driver, 'poolwright-csi', build, labels)
        },
      },
      plan,
      request,
    )
  } finally {
    // Also where it failed: a cluster does without these images, so nobody may ever try again.
    await dropUnusedGoCaches(signal)
  }
  return ownImages(plan)
}

function ownImages({ workload, csiDriver }: ImagePlan): OwnImages {
  return { workload: workload.image, csiDriver: csiDriver.image }
}
