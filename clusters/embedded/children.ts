import { fileURLToPath } from 'node:url'

/** A process that makes up an embedded cluster. It prints one JSON line with `"ready": true` once it serves. */
export interface ChildProgram {
  readonly name: string
  /** What it plays, in words for the report; absent for what is ours by right. */
  readonly standsInFor?: readonly string[]
  /** Arguments for Node. */
  arguments(directory: string): readonly string[]
}

/** In the order they start; each may count on the ones before. */
export const CHILDREN: readonly ChildProgram[] = [
  {
    name: 'api-server',
    arguments: (directory) => [program('./server/main.ts'), JSON.stringify({ directory, port: 0 })],
  },
]

function program(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
