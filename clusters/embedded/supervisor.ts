/**
 * One process per embedded cluster, in a session of its own: starts the children, says when they are ready, notices
 * when one ends, and ends them all. Told what to do in its only argument, as JSON.
 */
import type { Capability } from '../../src/contract/capabilities.ts'
import { identify } from '../../src/process/process-identity.ts'
import type { ClusterDescription, Limits } from '../provider.ts'
import { removeDirectory } from '../this-machine/cluster-directory.ts'
import { describeEnd, type RunningChild, startChild } from './child-process.ts'
import { CHILDREN, type ChildProgram } from './children.ts'
import { type ChildState, type ClusterState, kubeconfigPath, writeState } from './cluster-state.ts'

export interface SupervisorRequest {
  readonly name: string
  readonly directory: string
  /** 'command': end when the process that started this one ends. */
  readonly lifetime: 'command' | 'detached'
}

/** What it tells the process that started it, over IPC. */
export type SupervisorMessage =
  | { readonly type: 'progress'; readonly line: string }
  | { readonly type: 'ready'; readonly description: ClusterDescription }
  | { readonly type: 'failed'; readonly message: string }

const CAPABILITIES: readonly Capability[] = ['node-creation', 'windows-stand-in']
const LIMITS: Limits = { reaction: 5_000, step: 30_000 }

/** How long children get to end by themselves, in milliseconds: nothing they hold outlives them. */
const STOP_LIMIT_MS = 500

if (import.meta.main) await supervise(JSON.parse(process.argv[2] ?? '') as SupervisorRequest)

async function supervise(request: SupervisorRequest): Promise<void> {
  const children = new Map<ChildProgram, RunningChild>()
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await endAll([...children.values()])
    await removeDirectory(request.directory)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  if (request.lifetime === 'command') process.on('disconnect', stop)
  process.channel?.unref()
  const supervisor = await identify(process.pid)
  if (!supervisor) throw new Error('The supervisor does not find itself among the processes')
  let state: ClusterState = { supervisor, children: [] }
  const save = (change: Partial<ClusterState>) => {
    state = { ...state, ...change }
    return stopping ? undefined : writeState(request.directory, state)
  }
  await save({})
  try {
    for (const program of CHILDREN) {
      tell({ type: 'progress', line: `starting the ${program.name} of cluster ${request.name}` })
      const child = await startChild(program, request.directory)
      children.set(program, child)
      child.ended.then(async (how) => {
        if (!stopping) await save({ failure: await describeEnd(program.name, how, request.directory) })
      })
      await save({ children: childStates(children) })
    }
    const description = describe(request, children)
    await save({ description })
    tell({ type: 'ready', description })
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
    stopping = true
    // The logs stay: they are all there is to say why.
    await endAll([...children.values()])
    process.exit(1)
  }
}

function describe(request: SupervisorRequest, children: Map<ChildProgram, RunningChild>): ClusterDescription {
  const versions = [...children.values()].map(({ ready }) => ready.version)
  return {
    rung: 'embedded',
    name: request.name,
    kubeconfig: kubeconfigPath(request.directory),
    version: versions.find((version) => typeof version === 'string') ?? 'unknown',
    capabilities: CAPABILITIES,
    standIns: CHILDREN.flatMap(({ standsInFor }) => standsInFor),
    limits: LIMITS,
  }
}

function childStates(children: Map<ChildProgram, RunningChild>): ChildState[] {
  return [...children].map(([{ name }, { identity }]) => ({ name, ...identity }))
}

/** The last one first, since it counts on the ones before. */
async function endAll(children: readonly RunningChild[]): Promise<void> {
  for (const child of children.toReversed()) {
    child.kill('SIGTERM')
    const insist = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    await child.ended
    clearTimeout(insist)
  }
}

function tell(message: SupervisorMessage): void {
  if (process.connected) process.send?.(message)
}
