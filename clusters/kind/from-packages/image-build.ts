import { cp, link, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { imageLabels } from '../engine-images.ts'
import { runTool } from '../run-tool.ts'
import type { Tools } from '../tools.ts'
import { builder, MADE_BY_LABEL } from './unfinished.ts'

/** What an image build runs with. */
export interface ImageBuild {
  readonly tools: Pick<Tools, 'docker'>
  /** Empty, on a disk with room for the images; removed by the caller. */
  readonly scratch: string
  readonly signal: AbortSignal
}

export interface Settings {
  /** Lines of a Dockerfile that `docker import` understands: ENV, ENTRYPOINT, LABEL, … */
  readonly changes: readonly string[]
}

/** Says what an image was made from, so that it is found again. */
export const INPUTS_LABEL = 'poolwright.dev/inputs'

/** Whether the engine has this image, made from these inputs. */
export async function isBuilt(
  image: string,
  inputs: string,
  { tools, signal }: Pick<ImageBuild, 'tools' | 'signal'>,
): Promise<boolean> {
  return (await imageLabels(image, tools, signal))?.[INPUTS_LABEL] === inputs
}

/** An image with one static program in an otherwise empty tree; more changes as in `Settings`. */
export async function importProgram(
  image: string,
  program: string,
  name: string,
  build: ImageBuild,
  changes: Settings['changes'] = [],
): Promise<void> {
  const tree = await mkdtemp(join(build.scratch, 'tree-'))
  const bin = join(tree, 'usr', 'local', 'bin')
  await mkdir(bin, { recursive: true })
  await mkdir(join(tree, 'tmp'), { mode: 0o1777 })
  await mkdir(join(tree, 'etc'))
  await place(program, join(bin, name))
  const settings = {
    // Without a path containerd finds no program.
    changes: ['ENV PATH=/usr/local/bin', `ENTRYPOINT ["/usr/local/bin/${name}"]`, ...changes],
  }
  await importTree(image, tree, settings, build)
  await rm(tree, { recursive: true })
}

/** An image from a folder. */
export async function importTree(
  image: string,
  tree: string,
  settings: Settings,
  build: ImageBuild,
): Promise<void> {
  const archive = `${tree}.tar`
  const run = { for: `packing ${image}`, signal: build.signal }
  await runTool(
    'tar',
    ['--create', '--numeric-owner', '--owner=0', '--group=0', '--file', archive, '--directory', tree, '.'],
    run,
  )
  await importArchive(image, archive, settings, build)
  await rm(archive)
}

/** An image from a tar of its whole tree. */
export async function importArchive(
  image: string,
  archive: string,
  { changes }: Settings,
  { tools, signal }: ImageBuild,
): Promise<void> {
  const all = [...changes, `LABEL ${MADE_BY_LABEL}=${builder()}`]
  const words = all.flatMap((change) => ['--change', change])
  await tools.docker(['import', ...words, archive, image], { for: `importing ${image}`, signal })
}

/**
 * Runs a Dockerfile that needs no network. It begins with the label that says who made it, from its argument BUILDER:
 * the engine keeps every step of an interrupted build without a name.
 */
export async function buildDockerfile(
  image: string,
  context: string,
  args: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
  { tools, signal }: ImageBuild,
): Promise<void> {
  const words = [
    ...Object.entries({ ...args, BUILDER: builder() }).flatMap(([key, value]) => [
      '--build-arg',
      `${key}=${value}`,
    ]),
    ...Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`]),
  ]
  await tools.docker(
    ['build', '--quiet', '--force-rm', '--network', 'none', '--tag', image, ...words, context],
    {
      for: `building ${image}`,
      signal,
      // The classic builder needs no plugin of docker's command line.
      env: { DOCKER_BUILDKIT: '0' },
    },
  )
}

/** Without a second copy where the disk allows it. */
export async function place(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => cp(from, to))
}
