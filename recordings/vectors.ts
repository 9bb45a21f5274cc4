import { mkdir, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { UsageError } from '../src/contract/errors.ts'
import { printExact } from './exact-json.ts'
import { loadVectors } from './load-vectors.ts'
import { borrowedServer } from './replay/borrowed.ts'
import { embeddedServer } from './replay/embedded.ts'
import { type Outcome, replay } from './replay/replay.ts'
import type { ServerSource } from './replay/server.ts'
import { scoreLines, scoresOf } from './score.ts'

const USAGE =
  'npm run vectors [-- --dir DIR --family F --category C --cluster RUNG --kubeconfig FILE --later]'
const REPORT = new URL('../reports/', import.meta.url)
const OWN_RECORDINGS = new URL('./vectors', import.meta.url).pathname
const SHOWN_DIFFERENCES = 12
const SHOWN_LENGTH = 600

/** Replays recordings and says which of them the cluster still answers as Kubernetes did. Exit code as `poolwright test`. */
async function main(): Promise<number> {
  const { values } = readArguments()
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const categories = await loadVectors(values.dir ?? OWN_RECORDINGS, values)
  const source = sourceOf(values)
  console.log(`Replaying against ${source.name}`)
  const outcomes = await replay(categories, {
    source,
    signal: stop.signal,
    later: values.later === true,
    progress: printFailures,
  })
  const scores = scoresOf(outcomes)
  for (const line of scoreLines(scores)) console.log(line)
  await mkdir(REPORT, { recursive: true })
  await writeFile(new URL('vectors.json', REPORT), `${printExact(scores)}\n`)
  return Object.values(scores).some((family) =>
    Object.values(family).some(({ failures }) => failures.length > 0),
  )
    ? 1
    : 0
}

type Values = ReturnType<typeof readArguments>['values']

function readArguments() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      options: {
        dir: text,
        family: text,
        category: text,
        cluster: text,
        kubeconfig: text,
        later: { type: 'boolean' },
      },
    })
  } catch (cause) {
    throw new UsageError(`${(cause as Error).message} Usage: ${USAGE}`, { cause })
  }
}

function sourceOf({ cluster, kubeconfig }: Values): ServerSource {
  const rung = cluster ?? (kubeconfig === undefined ? 'embedded' : 'kubeconfig')
  if (rung === 'embedded' && kubeconfig === undefined) return embeddedServer()
  if (rung === 'kubeconfig' && kubeconfig !== undefined) return borrowedServer(kubeconfig)
  throw new UsageError(`recordings are replayed against "embedded" or --kubeconfig FILE. Usage: ${USAGE}`)
}

function printFailures({ family, category, vector, later, failures }: Outcome): void {
  if (failures === undefined || failures.length === 0 || later !== undefined) return
  console.log(`\n✗ ${family}/${category} ${vector.name}`)
  let step = -1
  for (const failure of failures.slice(0, SHOWN_DIFFERENCES)) {
    const at = vector.steps[failure.step]
    if (failure.step !== step && at !== undefined)
      console.log(
        `  step ${failure.step}: ${'method' in at ? `${at.method} ${at.path}` : Object.keys(at)[0]}`,
      )
    step = failure.step
    console.log(
      `    ${failure.path}\n      expected ${short(failure.expected)}\n      found    ${short(failure.found)}`,
    )
  }
  if (failures.length > SHOWN_DIFFERENCES)
    console.log(`    … and ${failures.length - SHOWN_DIFFERENCES} more`)
}

function short(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}… (${text.length} characters)` : text
}

try {
  process.exitCode = await main()
} catch (error) {
  if (error instanceof UsageError) console.error(error.message)
  else if ((error as Error).name === 'AbortError') console.error('interrupted')
  else console.error(error)
  process.exitCode = (error as Error).name === 'AbortError' ? 130 : 2
}
