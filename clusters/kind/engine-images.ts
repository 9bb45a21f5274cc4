import type { Tools } from './tools.ts'

type Docker = Pick<Tools, 'docker'>

/** Of the images we build: what they are for. */
export const ROLE_LABEL = 'poolwright.dev/image-role'
/**
 * Of a node image: what it has inside, separated by blanks: `csi=TAG` (our driver, and all that its parts run),
 * `metallb`, `workload=TAG`; `no-network` where it has no pod network.
 */
export const INSIDE_LABEL = 'poolwright.dev/inside'
/** Where a node image with `metallb` inside has MetalLB's own manifests. */
export const METALLB_INSIDE = 'kind/poolwright/metallb-native.yaml'

/** The labels of an image that the engine has; undefined where it has none of that name. */
export async function imageLabels(
  image: string,
  { docker }: Docker,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const said = await inspect(image, '{{json .Config.Labels}}', { docker }, signal)
  return said === undefined ? undefined : ((JSON.parse(said) as Labels) ?? {})
}

/** What tells an image's content, whatever its name; undefined where the engine has none of that name. */
export async function imageId(
  image: string,
  docker: Docker,
  signal: AbortSignal,
): Promise<string | undefined> {
  return (await inspect(image, '{{.Id}}', docker, signal))?.trim()
}

async function inspect(
  image: string,
  format: string,
  { docker }: Docker,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const words = ['image', 'inspect', '--format', format, image]
    return await docker(words, { for: `looking at image ${image}`, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (/no such image/i.test((error as Error).message)) return undefined
    throw error
  }
}

type Labels = Record<string, string> | null

/** Pulls an image; one that is pinned by digest gets its tag as well, by which pods name it. */
async function pullImage(image: string, { docker }: Docker, signal: AbortSignal): Promise<void> {
  const run = { for: `pulling ${image}`, signal }
  await docker(['pull', '--quiet', image], run)
  if (image !== tagOf(image)) await docker(['tag', image, tagOf(image)], run)
}

/** Pulls those that the engine doesn't have. */
export async function pullMissing(
  images: readonly string[],
  docker: Docker,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: (line: string) => void },
): Promise<void> {
  for (const image of images) {
    if (await imageLabels(image, docker, signal)) continue
    progress(`pulling ${image}`)
    await pullImage(image, docker, signal)
  }
}

/** An image's name and tag, without its digest. */
export function tagOf(image: string): string {
  return image.replace(/@.*$/s, '')
}
