import { fileURLToPath } from 'node:url'
import { STANDS_IN_FOR } from '../stand-ins/stands-in-for.ts'
import { kubeconfigPath } from './cluster-state.ts'

/** A process that makes up an embedded cluster. It prints one JSON line with `"ready": true` once it serves. */
export interface ChildProgram {
  readonly name: string
  /** Components that this rung doesn't have and the program plays, in words for the report. */
  readonly standsInFor: readonly string[]
  /** Arguments for Node. */
  arguments(directory: string): readonly string[]
}

/** In the order they start; each may count on the ones before. */
export const CHILDREN: readonly ChildProgram[] = [
  {
    name: 'api-server',
    standsInFor: [],
    arguments: (directory) => [program('./server/main.ts'), JSON.stringify({ directory, port: 0 })],
  },
  {
    name: 'stand-ins',
    standsInFor: STANDS_IN_FOR,
    arguments: (directory) => [program('../stand-ins/main.ts'), '--kubeconfig', kubeconfigPath(directory)],
  },
]

function program(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
