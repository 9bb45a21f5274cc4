import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import type { Fault } from './fault.ts'

/** What has to judge a fault. */
type Judges = 'scenarios' | 'tests'

/** What is copied, whole; everything else it imports is the project's own. Tests are copied where they judge. */
const COPIED: Readonly<Record<Judges, readonly string[]>> = {
  scenarios: ['src/pool', 'src/api', 'support/reference-implementation.ts'],
  tests: ['src/pool', 'src/api', 'support', 'bin'],
}
/** What of it a patch may change, so that it has to be compiled. */
const COMPILED: Readonly<Record<Judges, readonly string[]>> = {
  scenarios: COPIED.scenarios,
  tests: [...COPIED.scenarios, 'support/safety', 'support/drain', 'bin/lint'],
}
/** No part of the sources, or made anew for the copies. */
const APART = ['.git', 'node_modules', 'reports', 'package.json', 'tsconfig.json']

/** No fault is called so. Without brackets: Cucumber looks for those in stack traces, to learn where a step is defined. */
const UNPATCHED = '_unpatched'

/** A copy of the project, as far as a fault concerns it. */
export interface Copy {
  readonly directory: string
  /** Path of its implementation module, which the suite can be given. */
  readonly implementation: string
}

/** A temporary folder with copies of what faults are planted in. */
export interface Products {
  /** A copy as it stands. */
  unpatched(judges: Judges): Promise<Copy>
  /** A copy with a fault in it, or why the patch could not be planted. */
  plant(fault: Fault): Promise<Copy | { readonly problem: string }>
  /** Compiles all copies at once. Answers what the compiler says, by the name of the fault. */
  compile(signal: AbortSignal): Promise<ReadonlyMap<string, string>>
  /** A folder of compiled modules, for all copies. */
  readonly compileCache: string
  remove(): Promise<void>
}

/** Copies go to a folder of their own; the project itself is never touched. */
export async function openProducts(root: string): Promise<Products> {
  const folder = await mkdtemp(join(tmpdir(), 'poolwright-faults-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await cp(join(root, 'package.json'), join(folder, 'package.json'))
  const compiled: string[] = []
  const copy = async (name: string, judges: Judges): Promise<Copy> => {
    const directory = join(folder, name)
    await copySources(root, directory, judges)
    return { directory, implementation: join(directory, 'support', 'reference-implementation.ts') }
  }
  return {
    unpatched: (judges) => copy(`${UNPATCHED}-for-${judges}`, judges),
    plant: async (fault) => {
      const judges = fault.tests.length > 0 ? 'tests' : 'scenarios'
      const planted = await copy(fault.name, judges)
      const problem = await apply(fault, planted.directory)
      if (problem !== undefined) return { problem }
      compiled.push(...COMPILED[judges].map((path) => `${fault.name}/${path}`))
      return planted
    },
    compile: async (signal) => {
      const options = { extends: join(root, 'tsconfig.json'), include: compiled, exclude: ['**/*.test.ts'] }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options))
      return compiled.length === 0 ? new Map() : compile(folder, signal)
    },
    compileCache: join(folder, 'compile-cache'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** What is not copied is there as a link. */
async function copySources(root: string, copy: string, judges: Judges): Promise<void> {
  const visit = async (folder: string): Promise<void> => {
    await mkdir(join(copy, folder))
    for (const name of await readdir(join(root, folder))) {
      const path = folder ? `${folder}/${name}` : name
      if (APART.includes(path)) continue
      if (COPIED[judges].includes(path)) await copyWhole(path)
      else if (COPIED[judges].some((one) => one.startsWith(`${path}/`))) await visit(path)
      else await symlink(join(root, path), join(copy, path))
    }
  }
  const copyWhole = (path: string): Promise<void> =>
    cp(join(root, path), join(copy, path), {
      recursive: true,
      filter: (file) => judges === 'tests' || !file.endsWith('.test.ts'),
    })
  await visit('')
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
