import { cp, mkdtemp, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import type { Fault } from './fault.ts'
import { listFiles } from './files.ts'

/** A temporary copy of the product in which faults are planted; the product itself is never touched. */
export interface Workspace {
  readonly directory: string
  remove(): Promise<void>
}

/** Copies every file that git tracks or would track, as it stands now, and borrows the installed packages. */
export async function copyProduct(root: string): Promise<Workspace> {
  const directory = await mkdtemp(join(tmpdir(), 'poolwright-fault-'))
  for (const file of await listFiles(root)) {
    await cp(join(root, file), join(directory, file), { recursive: true }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // deleted, not yet committed
    })
  }
  const installed = join(root, 'node_modules')
  await symlink(await readlink(installed).catch(() => installed), join(directory, 'node_modules'))
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) }
}

/** A patch that no longer applies, or whose product does not compile, plants nothing: it must be mended. */
export class NotPlanted extends Error {
  override readonly name = 'NotPlanted'
}

/**
 * Works in the copy while the fault is in it, and takes it out again. Throws NotPlanted for one that is no fault but a
 * broken patch: a product that does not compile would be noticed without any suite.
 */
export async function whilePlanted<T>(
  fault: Fault,
  { directory }: Workspace,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const applied = await apply(fault, directory, [])
  if (applied !== undefined) throw new NotPlanted(`the patch no longer applies: ${applied}`)
  try {
    const compiled = await compile(directory, signal)
    if (compiled !== undefined) throw new NotPlanted(`the patched copy does not compile: ${compiled}`)
    return await work()
  } finally {
    await apply(fault, directory, ['--reverse'])
  }
}

/** Undefined, or what git says. */
async function apply(
  fault: Fault,
  directory: string,
  options: readonly string[],
): Promise<string | undefined> {
  const result = await execa('git', ['apply', '--whitespace=nowarn', ...options, fault.patch], {
    cwd: directory,
    reject: false,
    // Inside somebody's repository git would take the patch for one of that repository, and skip it.
    env: { GIT_CEILING_DIRECTORIES: dirname(directory) },
  })
  return result.failed ? result.stderr : undefined
}

/** Undefined, or what the compiler says. It looks at the product alone, since nothing else is ever patched. */
async function compile(directory: string, cancelSignal: AbortSignal): Promise<string | undefined> {
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc')
  const options = ['--project', join('faults', 'tsconfig.json')]
  const result = await execa(process.execPath, [compiler, ...options], {
    cwd: directory,
    cancelSignal,
    reject: false,
  })
  cancelSignal.throwIfAborted()
  return result.failed ? result.stdout || result.shortMessage : undefined
}
