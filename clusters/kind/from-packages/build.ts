import { buildNodeImage } from './build-node-image.ts'
import { buildWorkloadImage, importTools } from './build-workload-image.ts'
import { type BuiltImages, imagesOf } from './built-images.ts'
import { dropGoCaches, dropUnusedGoCaches } from './go.ts'
import { type BuildRequest, runImageJob } from './image-job.ts'
import { planImages } from './image-plan.ts'
import { writeManifest } from './manifest.ts'

/** Builds what is missing of the programs and images of a cluster, one process at a time. */
export async function buildImages(request: BuildRequest): Promise<BuiltImages> {
  const plan = await planImages()
  const { signal, progress } = request
  const built = await runImageJob(
    {
      images: ['workload', 'node'],
      programs: [...plan.families.keys()],
      trees: ['tools', 'node'],
      // What a cluster is handled with, and what is installed on it: an engine keeps images longer than a cache its files.
      besides: ['kind', 'kubectl', 'metallb'],
      make: async (missing, build) => {
        await importTools(plan, build)
        if (missing.includes(plan.workload)) {
          progress('building the workload image')
          await buildWorkloadImage(plan, build)
        }
        if (missing.includes(plan.node))
          await writeManifest(plan, await buildNodeImage(plan, build, progress))
      },
    },
    plan,
    request,
  )
  if (built) {
    progress('dropping what only the build needed')
    await dropGoCaches(signal)
  } else await dropUnusedGoCaches(signal)
  return imagesOf(plan)
}
