import { UsageError } from '../../src/contract/errors.ts'
import { findProgram } from '../find-program.ts'
import { findKubectl } from '../kubectl/find-kubectl.ts'
import { builtKind } from './from-packages/built-images.ts'
import { runTool, type ToolRun } from './run-tool.ts'

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

const TOOLS = ['docker', 'kind', 'kubectl'] as const

/** What to do about each that is missing. */
const REMEDIES: Readonly<Record<keyof Tools, string>> = {
  docker:
    'docker: install the Docker command line (docker.io on Debian), or as root there: node clusters/kind/scripts/engine.ts start',
  kind: 'kind: install kind, or build it with "poolwright cluster images --from-packages"',
  kubectl:
    'kubectl 1.36: install it, or build it with "npm run kubectl" or "poolwright cluster images --from-packages"',
}

/** Those built from packages come first. Throws a UsageError that names all that are missing, with the remedies. */
export async function findTools(sources: ToolSources = {}): Promise<Tools> {
  const { engine = {}, environment = process.env } = sources
  const paths: Record<keyof Tools, string | undefined> = {
    docker: findProgram('docker', environment),
    kind: (await builtKind()) ?? findProgram('kind', environment),
    kubectl: await findKubectl(),
  }
  const missing = TOOLS.filter((tool) => paths[tool] === undefined)
  if (missing.length > 0)
    throw new UsageError(`The kind rung lacks ${missing.map((tool) => REMEDIES[tool]).join('; ')}`)
  const tool = (name: keyof Tools): Tool => {
    const path = paths[name] ?? name
    return (words, run) => runTool(path, words, { ...run, env: { ...engine, ...run.env } })
  }
  return { docker: tool('docker'), kind: tool('kind'), kubectl: tool('kubectl') }
}

/** Docker alone, for an engine that has already answered to it. */
export function dockerOf(engine: Readonly<Record<string, string>>): Pick<Tools, 'docker'> {
  return { docker: (words, run) => runTool('docker', words, { ...run, env: { ...engine, ...run.env } }) }
}
