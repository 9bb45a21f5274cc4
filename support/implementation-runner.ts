/** The program that hosts an implementation for ImplementationProcess: commands come and answers go over IPC. */
import type { PoolUnderTest } from '../src/contract/implementation.ts'
import { loadImplementation } from './implementation.ts'
import type { Operation, RequestOf } from './outcomes.ts'
import { invoke } from './performer.ts'

export interface ConnectCommand {
  readonly id: number
  readonly kind: 'connect'
  /** Path of the implementation's module. */
  readonly implementation: string
  readonly kubeconfig: string
  readonly namespace: string
  readonly configMap: string
}

interface PerformCommand {
  readonly id: number
  readonly kind: 'perform'
  readonly operation: Operation
  readonly request: RequestOf<Operation>
}

export interface RunnerAnswer {
  readonly id: number
  readonly result?: unknown
  readonly failure?: string
}

const controller = new AbortController()
let pool: PoolUnderTest | undefined

process.on('message', (command: ConnectCommand | PerformCommand) => {
  void carryOut(command).then(
    (result) => process.send?.({ id: command.id, result }),
    (error: Error) => process.send?.({ id: command.id, failure: error.stack ?? error.message }),
  )
})

// Whoever asked is gone, or has heard enough.
process.on('disconnect', () => {
  controller.abort(new Error('the scenario is over'))
  process.exit(0)
})

async function carryOut(command: ConnectCommand | PerformCommand): Promise<unknown> {
  if (command.kind === 'perform') {
    if (!pool) throw new Error('not connected')
    return invoke(pool, command.operation, command.request)
  }
  const { kubeconfig, namespace, configMap } = command
  const implementation = await loadImplementation(command.implementation)
  pool = await implementation.connect({ kubeconfig, namespace, configMap, signal: controller.signal })
  return undefined
}
