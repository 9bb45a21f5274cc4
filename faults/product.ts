import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import type { Fault } from './fault.ts'

/** What is copied for each fault; everything else it imports is the project's own. */
const COPIED = ['src/pool', 'src/api', 'support/reference-implementation.ts']

/** A temporary folder with copies of the product under test, each an implementation that the suite can be given. */
export interface Products {
  /** A copy as it stands. Answers the path of its implementation module. */
  unpatched(): Promise<string>
  /** A copy with a fault in it. Answers the path of its module, or why the patch could not be planted. */
  plant(fault: Fault): Promise<{ readonly implementation: string } | { readonly problem: string }>
  /** Compiles all copies at once. Answers what the compiler says, by the name of the fault. */
  compile(signal: AbortSignal): Promise<ReadonlyMap<string, string>>
  remove(): Promise<void>
}

/** Copies go to a folder of their own; the product itself is never touched. */
export async function openProducts(root: string): Promise<Products> {
  const folder = await mkdtemp(join(tmpdir(), 'poolwright-faults-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await cp(join(root, 'package.json'), join(folder, 'package.json'))
  const options = { extends: join(root, 'tsconfig.json'), include: ['*/src', '*/support'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options))
  const moduleOf = (name: string) => join(folder, name, 'support', 'reference-implementation.ts')
  return {
    unpatched: async () => {
      await copyProduct(root, join(folder, UNPATCHED))
      return moduleOf(UNPATCHED)
    },
    plant: async (fault) => {
      const copy = join(folder, fault.name)
      await copyProduct(root, copy)
      const problem = await apply(fault, copy)
      return problem === undefined ? { implementation: moduleOf(fault.name) } : { problem }
    },
    compile: (signal) => compile(folder, signal),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** No fault is called so: the names of faults are those of files. */
const UNPATCHED = '(unpatched)'

async function copyProduct(root: string, copy: string): Promise<void> {
  await mkdir(join(copy, 'src'), { recursive: true })
  for (const path of COPIED)
    await cp(join(root, path), join(copy, path), {
      recursive: true,
      filter: (file) => !file.endsWith('.test.ts'),
    })
  for (const folder of await readdir(join(root, 'src')))
    if (!COPIED.includes(`src/${folder}`)) await symlink(join(root, 'src', folder), join(copy, 'src', folder))
}

/** Undefined, or what git says. */
async function apply(fault: Fault, copy: string): Promise<string | undefined> {
  const result = await execa('git', ['apply', '--whitespace=nowarn', fault.patch], {
    cwd: copy,
    reject: false,
    // Inside somebody's repository git would take the patch for one of that repository, and skip it.
    env: { GIT_CEILING_DIRECTORIES: dirname(copy) },
  })
  return result.failed ? result.stderr || result.shortMessage : undefined
}

async function compile(folder: string, cancelSignal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc')
  const result = await execa(process.execPath, [compiler, '--project', '.'], {
    cwd: folder,
    cancelSignal,
    reject: false,
  })
  cancelSignal.throwIfAborted()
  const said = new Map<string, string>()
  for (const [line, name] of result.stdout.matchAll(/^([^/\n]+)\/.*error TS.*$/gm))
    if (name !== undefined && !said.has(name)) said.set(name, line)
  if (result.failed && said.size === 0)
    throw new Error(`the copies cannot be compiled: ${result.stdout}${result.stderr}`)
  return said
}
