import { cp, mkdtemp, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { UsageError } from '../src/contract/errors.ts'
import type { Fault } from './fault.ts'

/** A temporary copy of the product in which one fault is planted; the product itself is never touched. */
export interface Workspace {
  readonly directory: string
  remove(): Promise<void>
}

/** Copies every file that git tracks or would track, as it stands now, and borrows the installed packages. */
export async function copyProduct(root: string): Promise<Workspace> {
  const directory = await mkdtemp(join(tmpdir(), 'poolwright-fault-'))
  const { stdout } = await execa('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  })
  const files = new Set(stdout.split('\0').filter(Boolean))
  for (const file of files) {
    await cp(join(root, file), join(directory, file), { recursive: true }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // deleted, not yet committed
    })
  }
  const installed = join(root, 'node_modules')
  await symlink(await readlink(installed).catch(() => installed), join(directory, 'node_modules'))
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) }
}

/** Plants the fault, and insists that the broken product is still one that compiles. */
export async function plant(fault: Fault, workspace: Workspace, signal: AbortSignal): Promise<void> {
  const inWorkspace = { cwd: workspace.directory, cancelSignal: signal, reject: false } as const
  const applied = await execa('git', ['apply', '--whitespace=nowarn', fault.patch], inWorkspace)
  if (applied.failed) throw new UsageError(`${fault.name}: the patch no longer applies: ${applied.stderr}`)
  const compiled = await execa(
    process.execPath,
    [join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '-p', '.'],
    inWorkspace,
  )
  if (compiled.failed)
    throw new UsageError(`${fault.name}: the patched copy does not compile:\n${compiled.stdout}`)
}
