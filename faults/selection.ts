import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { UsageError } from '../src/contract/errors.ts'
import { listChangedFiles } from './changed-files.ts'
import type { Fault } from './fault.ts'

export interface Options {
  /** Names of the entries to try; all without it. */
  readonly only?: readonly string[]
  readonly rung: string
  /** A revision: only entries whose patch, or a file that it patches, differs from there. */
  readonly changedSince?: string
  /** How many faults are tried side by side. */
  readonly width: number
  /** Show the entries instead of trying them. */
  readonly list: boolean
}

/** What the command line asks for; throws a UsageError for what makes no sense. */
export function readOptions(words: readonly string[]): Options {
  const { only, rung, list, at, 'changed-since': changedSince } = parse(words)
  if (!/^[1-9]\d?$/.test(at)) throw new UsageError(`--at ${at}: expected a number from 1 to 99`)
  return {
    rung,
    list,
    width: Number(at),
    ...(only && { only }),
    ...(changedSince !== undefined && { changedSince }),
  }
}

function parse(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        only: { type: 'string', multiple: true },
        rung: { type: 'string', default: 'embedded' },
        'changed-since': { type: 'string' },
        // One more than there are processors: scenarios wait now and then.
        at: { type: 'string', default: String(availableParallelism() + 1) },
        list: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Those of the entries that are asked for. */
export async function selectFaults(root: string, all: readonly Fault[], options: Options): Promise<Fault[]> {
  const { only, rung, changedSince } = options
  const unknown = only?.find((name) => !all.some((fault) => fault.name === name))
  if (unknown)
    throw new UsageError(`There is no fault "${unknown}"; known: ${all.map(({ name }) => name).join(', ')}`)
  const changed = changedSince === undefined ? undefined : await listChangedFiles(root, changedSince)
  return all.filter(
    (fault) =>
      fault.rung === rung &&
      (only?.includes(fault.name) ?? true) &&
      (changed === undefined || concerns(fault, changed)),
  )
}

/** Whether a fault has to be tried again after a change of these files: its patch, what it patches, the test that judges it. */
export function concerns(
  { name, files, tests }: Pick<Fault, 'name' | 'files' | 'tests'>,
  changed: ReadonlySet<string>,
): boolean {
  const judging = tests.map(({ file }) => file)
  return [`faults/patches/${name}.patch`, ...files, ...judging].some((file) => changed.has(file))
}
