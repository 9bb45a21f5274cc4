/** `npm run vectors`: replays recordings and says which of them a cluster still answers as Kubernetes did. */
import { mkdir, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { UsageError } from '../src/contract/errors.ts'
import { control } from './control/control.ts'
import { printExact } from './exact-json.ts'
import { loadVectors } from './load-vectors.ts'
import { OWN_RECORDINGS } from './own-recordings.ts'
import { controlLines, failureLines } from './print.ts'
import { borrowedServer } from './replay/borrowed.ts'
import { embeddedServer } from './replay/embedded.ts'
import { replay } from './replay/replay.ts'
import type { ServerSource } from './replay/server.ts'
import { scoreLines, scoresOf } from './score.ts'

const USAGE =
  'usage: npm run vectors [-- --dir DIR --family F --category C --cluster embedded --kubeconfig FILE --later --control]'
const REPORTS = new URL('../reports/', import.meta.url)

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort(signal))

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  process.exitCode = stop.signal.aborted ? 130 : 2
  if (stop.signal.aborted) print(['interrupted'])
  else if (error instanceof UsageError) process.stderr.write(`${error.message}\n`)
  else throw error
}

/** Whether all that this storey promises passed. */
async function main(): Promise<boolean> {
  const values = readArguments()
  const categories = await loadVectors(values.dir ?? OWN_RECORDINGS, values)
  const source = sourceOf(values)
  print([`replaying against ${source.name}`])
  const outcomes = await replay(categories, {
    source,
    signal: stop.signal,
    later: values.later === true,
    progress: (outcome) => print(failureLines(outcome)),
  })
  const scores = scoresOf(outcomes)
  print(scoreLines(scores))
  await mkdir(REPORTS, { recursive: true })
  await writeFile(new URL('vectors.json', REPORTS), `${printExact(scores)}\n`)
  const failed = outcomes.some(({ later, failures }) => later === undefined && (failures?.length ?? 0) > 0)
  if (values.control !== true) return !failed
  const controlled = control(outcomes)
  print(controlLines(controlled))
  return !failed && controlled.missed.length === 0
}

type Values = ReturnType<typeof readArguments>

function readArguments() {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = {
    dir: text,
    family: text,
    category: text,
    cluster: text,
    kubeconfig: text,
    later: flag,
    control: flag,
  }
  try {
    return parseArgs({ options }).values
  } catch (cause) {
    throw new UsageError(`${(cause as Error).message}\n${USAGE}`, { cause })
  }
}

function sourceOf({ cluster, kubeconfig }: Values): ServerSource {
  const rung = cluster ?? (kubeconfig === undefined ? 'embedded' : 'kubeconfig')
  if (rung === 'embedded' && kubeconfig === undefined) return embeddedServer()
  if (rung === 'kubeconfig' && kubeconfig !== undefined) return borrowedServer(kubeconfig)
  throw new UsageError(`recordings are replayed against "embedded" or the server of --kubeconfig\n${USAGE}`)
}

function print(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`)
}
