import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { type GoRun, goVersion, runGo, withGoCaches } from './go.ts'
import { parseGoBuildInfo } from './go-build-info.ts'
import { type ModuleFiles, modulePath, type ProgramFamily, programPath, programs } from './programs.ts'
import { type ArtifactKey, artifact, type Facts } from './store.ts'

export interface BuildRequest {
  readonly signal: AbortSignal
  /** One line per thing that takes a while. */
  readonly progress: (line: string) => void
}

/**
 * The key of a family's artifact. Go's own version is no part of it, but in the record: a newer Go doesn't make what was
 * built a wrong one, and what is there can be used where there is no Go.
 */
export async function familyKey(family: ProgramFamily): Promise<ArtifactKey> {
  const digest = createHash('sha256')
  const folder = modulePath(family.module)
  const sources = family.ownSource ? (await readdir(folder)).filter(isSource).toSorted() : []
  for (const file of ['go.mod', 'go.sum', ...sources]) digest.update(await readFile(join(folder, file)))
  return {
    name: family.name,
    inputs: {
      modules: digest.digest('hex'),
      packages: family.packages.join(' '),
      flags: buildFlags(family).join(' '),
      files: (family.files ?? []).map(({ module, from, to }) => `${module}/${from}=${to}`).join(' '),
      platform: `${process.platform} ${process.arch}`,
    },
  }
}

function isSource(name: string): boolean {
  return name.endsWith('.go') && !name.endsWith('_test.go')
}

/** The path of a family's artifact, built unless it is there. Throws UsageError where Go is missing or fails. */
export async function buildFamily(
  family: ProgramFamily,
  { signal, progress }: BuildRequest,
): Promise<string> {
  const wait = (): void => progress(`another process is building ${family.name}; waiting for it`)
  return artifact({
    ...(await familyKey(family)),
    signal,
    onWait: wait,
    make: async (folder) => {
      const go = await goVersion(`${family.name} is built from its Go modules`)
      return withGoCaches(
        signal,
        () => {
          progress(`building ${family.name} with ${go}: about ${family.estimate} s on two cores`)
          return build(family, folder, signal)
        },
        () => progress(`another process is running Go; ${family.name} waits for it`),
      )
    },
  })
}

async function build(family: ProgramFamily, folder: string, signal: AbortSignal): Promise<Facts> {
  const scratch = join(folder, '.go')
  await mkdir(scratch)
  const run: GoRun = {
    for: `building ${family.name}`,
    module: modulePath(family.module),
    scratch,
    signal,
  }
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const [only, ...others] = programs(family).map((program) => programPath(folder, program))
  const output = others.length > 0 ? `${bin}/` : (only as string)
  await runGo(['build', ...buildFlags(family), '-o', output, ...family.packages], run)
  await prove(family, folder, signal)
  for (const files of family.files ?? []) await copyFiles(files, join(folder, 'files'), run)
  const made = await facts(family, folder, run)
  await rm(scratch, { recursive: true, force: true })
  return made
}

function buildFlags({ tags = [], variables = {} }: ProgramFamily): readonly string[] {
  const set = Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`)
  // Without symbol tables and debug information: a third smaller.
  return [
    `-ldflags=${['-s', '-w', ...set].join(' ')}`,
    ...(tags.length > 0 ? [`-tags=${tags.join(',')}`] : []),
  ]
}

async function prove({ proof }: ProgramFamily, folder: string, signal: AbortSignal): Promise<void> {
  if (!proof) return
  const { stdout } = await execa(programPath(folder, proof.program), proof.words, {
    reject: false,
    timeout: 30_000,
    stdin: 'ignore',
    cancelSignal: signal,
  })
  const said = stdout?.trim() || 'nothing'
  if (!said.includes(proof.says))
    throw new Error(`the ${proof.program} built was to say ${proof.says} and says: ${said}`)
}

async function copyFiles({ module, from, to }: ModuleFiles, files: string, run: GoRun): Promise<void> {
  const source = join(await moduleFolder(module, run), from)
  const target = join(files, to)
  await mkdir(dirname(target), { recursive: true })
  await cp(source, target, { recursive: true })
}

/** Where the module cache has a module that was just built from. */
async function moduleFolder(module: string, run: GoRun): Promise<string> {
  const folder = (await runGo(['list', '-m', '-f', '{{.Dir}}', module], run)).trim()
  if (folder === '') throw new Error(`${run.for}: Go doesn't say where it keeps ${module}`)
  return folder
}

/** Of what each program is made, as Go wrote it into them. */
async function facts(family: ProgramFamily, folder: string, run: GoRun): Promise<Facts> {
  const names = programs(family)
  const text = await runGo(['version', '-m', ...names.map((program) => programPath(folder, program))], run)
  const built = parseGoBuildInfo(text)
  return {
    go: built[0]?.go,
    programs: Object.fromEntries(built.map((info, index) => [names[index], info.package])),
    modules: Object.assign({}, ...built.map(({ modules }) => modules)),
  }
}
