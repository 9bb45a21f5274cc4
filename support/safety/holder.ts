import { hostname } from 'node:os'
import { type ProcessTable, thisMachine } from '../../src/process/process-table.ts'

/** Who holds the right to change the cluster: one worker of one run, and the process that it lives in. */
export interface Holder {
  readonly run: string
  readonly worker: string
  readonly process: ProcessMark
}

/** A process that others on the same machine can look for, without taking another for it. */
export interface ProcessMark {
  /** For people. */
  readonly host: string
  /** One start of the machine; empty where the system doesn't say. */
  readonly boot: string
  /** Within it: a container has process numbers of its own. Empty where the system doesn't say. */
  readonly pidNamespace: string
  readonly pid: number
  /** In the system's own clock ticks; only compared. */
  readonly startTime: string
}

/** This very process, as the holder that it is for a worker of a run. */
export function thisHolder(run: string, worker: string): Holder {
  const { boot, pidNamespace } = thisMachine
  const startTime = thisMachine.startTime(process.pid) ?? ''
  return { run, worker, process: { host: hostname(), boot, pidNamespace, pid: process.pid, startTime } }
}

/** `20260331-120000-1f2e3d/0`: the lease's holderIdentity. */
export function identityOf({ run, worker }: Pick<Holder, 'run' | 'worker'>): string {
  return `${run}/${worker}`
}

/** Whether its process was on this machine and has ended. False also means: it can't be told from here. */
export function isCertainlyDead(
  { process: mark }: Pick<Holder, 'process'>,
  machine: ProcessTable = thisMachine,
): boolean {
  if (!mark.boot || mark.boot !== machine.boot) return false
  if (!mark.pidNamespace || mark.pidNamespace !== machine.pidNamespace) return false
  if (machine.isAbsent(mark.pid)) return true
  const startTime = machine.startTime(mark.pid)
  return startTime !== undefined && startTime !== mark.startTime
}

/** Whether both are one process of one worker. */
export function isSameHolder(one: Holder, other: Holder | undefined): boolean {
  return other !== undefined && JSON.stringify(tell(one)) === JSON.stringify(tell(other))
}

/** Reads a holder that somebody wrote into the cluster. Undefined for what is none. */
export function parseHolder(value: unknown): Holder | undefined {
  if (!isRecord(value) || !isRecord(value.process)) return undefined
  const { run, worker, process: mark } = value
  const texts = [run, worker, mark.host, mark.boot, mark.pidNamespace, mark.startTime]
  if (!texts.every((text) => typeof text === 'string' && text.length <= 253)) return undefined
  if (!Number.isSafeInteger(mark.pid) || (mark.pid as number) < 1) return undefined
  return tell(value as unknown as Holder)
}

/** Its fields in one order, and nothing else. */
function tell({ run, worker, process: { host, boot, pidNamespace, pid, startTime } }: Holder): Holder {
  return { run, worker, process: { host, boot, pidNamespace, pid, startTime } }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
