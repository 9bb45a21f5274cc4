import { execa } from 'execa'
import { UsageError } from '../../src/contract/errors.ts'
import { findKubectl } from '../kubectl/find-kubectl.ts'
import { findProgram } from '../this-machine/find-program.ts'
import { builtKind } from './from-packages/built-images.ts'
import { runTool, type ToolRun } from './run-tool.ts'
import { PROGRAM_VERSIONS } from './versions.ts'

/** Runs one program with the environment it needs to find its engine; answers its standard output. */
export type Tool = (words: readonly string[], run: ToolRun) => Promise<string>

/** The programs that a kind cluster is handled with. */
export interface Tools {
  readonly docker: Tool
  readonly kind: Tool
  readonly kubectl: Tool
}

export interface ToolSources {
  /** What docker and kind need to find the engine. */
  readonly engine?: Readonly<Record<string, string>>
  readonly environment?: Readonly<NodeJS.ProcessEnv>
}

/** `0.33`, which the published node image was made for. */
const KIND_MINOR = PROGRAM_VERSIONS['sigs.k8s.io/kind'].replace(/^v(\d+\.\d+)\..*$/, '$1')
const VERSION_LIMIT_MS = 15_000

const TOOLS = ['docker', 'kind', 'kubectl'] as const

/** What to do about each that is missing. */
const REMEDIES: Readonly<Record<keyof Tools, string>> = {
  docker:
    'docker: install the Docker command line (docker.io on Debian), or as root there: node clusters/kind/scripts/engine.ts start',
  kind: `kind ${KIND_MINOR}: install it, or build it with "poolwright cluster images --from-packages"`,
  kubectl:
    'kubectl 1.36: install it, or build it with "npm run kubectl" or "poolwright cluster images --from-packages"',
}

/** Those built from packages come first. Throws a UsageError that names all that are missing, with the remedies. */
export async function findTools(sources: ToolSources = {}): Promise<Tools> {
  const { engine = {}, environment = process.env } = sources
  const paths: Record<keyof Tools, string | undefined> = {
    docker: findProgram('docker', environment),
    kind: (await builtKind()) ?? (await fittingKind(environment)),
    kubectl: await findKubectl(),
  }
  const missing = TOOLS.filter((tool) => paths[tool] === undefined)
  if (missing.length > 0)
    throw new UsageError(`The kind rung lacks ${missing.map((tool) => REMEDIES[tool]).join('; ')}`)
  const tool = (name: keyof Tools, own: Readonly<Record<string, string>> = {}): Tool => {
    const path = paths[name] ?? name
    return (words, run) => runTool(path, words, { ...run, env: { ...engine, ...own, ...run.env } })
  }
  // Somebody's own setting may name another kind of engine, which has not answered to us.
  const kind = tool('kind', { KIND_EXPERIMENTAL_PROVIDER: 'docker' })
  return { docker: tool('docker'), kind, kubectl: tool('kubectl') }
}

/** Of another minor version it makes other nodes of the same image, or none. */
async function fittingKind(environment: Readonly<NodeJS.ProcessEnv>): Promise<string | undefined> {
  const path = findProgram('kind', environment)
  if (path === undefined) return undefined
  const { stdout } = await execa(path, ['version'], {
    reject: false,
    stdin: 'ignore',
    timeout: VERSION_LIMIT_MS,
  })
  return stdout.startsWith(`kind v${KIND_MINOR}.`) ? path : undefined
}

/** Docker alone, for an engine that has already answered to it. */
export function dockerOf(engine: Readonly<Record<string, string>>): Pick<Tools, 'docker'> {
  return { docker: (words, run) => runTool('docker', words, { ...run, env: { ...engine, ...run.env } }) }
}
