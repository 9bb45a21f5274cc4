import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { Site } from './site.ts'

const POOLWRIGHT = fileURLToPath(new URL('../poolwright.ts', import.meta.url))

export interface CommandEnd {
  /** Empty where it ended well; else why not, in words. */
  readonly failures: readonly string[]
  /** How many objects it put back. */
  readonly putBack: number
  readonly printed: string
}

/** `poolwright restore`, as a person types it: it knows nothing of the runs. Milliseconds until it is killed. */
export async function restoreByCommand(
  { description: { rung, name }, which }: Pick<Site, 'description' | 'which'>,
  limitMs: number,
): Promise<CommandEnd> {
  const words = ['restore', '--cluster', rung, '--name', name, ...which]
  const { exitCode, all } = await execa(process.execPath, [POOLWRIGHT, ...words], {
    env: { NODE_TEST_CONTEXT: undefined },
    reject: false,
    stdin: 'ignore',
    all: true,
    timeout: limitMs,
  })
  return {
    failures: exitCode === 0 ? [] : [`"poolwright restore" ended with exit code ${exitCode}`],
    putBack: all.split('\n').filter((line) => line.endsWith(' restored')).length,
    printed: all,
  }
}
