import { textTable } from '../evidence/text-table.ts'
import { conditionOf, containersOf, type Pod, showPod, showState } from './pod.ts'
import type { Moment, PodRecord } from './pod-record.ts'
import type { Pods } from './pods.ts'
import { inOrder, type LogSource, readLog, type SpokenLine, showLine } from './transcript.ts'

/** Text for the report, under the name that a reader sees. */
export interface PodAttachment {
  readonly fileName: string
  readonly text: string
}

/** A reader who needs more has the cluster. */
const LOG_LINES = 200
/** A node that is off doesn't answer, and the rest of the evidence waits. */
const LOGS_MS = 4_000

/** What became of the scenario's pods; what they said, too, when it failed. Nothing where it had none. */
export async function podEvidence(
  pods: Pods,
  failed: boolean,
  signal: AbortSignal,
): Promise<readonly PodAttachment[]> {
  if (pods.record.pods.length === 0) return []
  const tables = [
    { fileName: 'pods.txt', text: podTable(pods.record) },
    { fileName: 'pods over time.txt', text: podTimeline(pods.record) },
  ]
  return failed ? [...tables, ...(await podLogs(pods, signal))] : tables
}

const HEADINGS = [
  'pod',
  'node',
  'phase',
  'container',
  'state',
  'restarts',
  'created',
  'ready',
  'ended',
  'gone',
]

/** A row for each container, as the API said last. Times are those of the cluster, but for `gone`. */
export function podTable({ pods }: Pick<PodRecord, 'pods'>): string {
  const rows = pods.flatMap((moments) => {
    const last = moments.at(-1)
    if (!last) return []
    const containers = containersOf(last.pod)
    const shown = containers.length > 0 ? containers : [{ name: '', restartCount: 0 }]
    return shown.map((container) => rowOf(last, container))
  })
  return textTable(HEADINGS, rows)
}

function rowOf({ at, pod, gone }: Moment, container: ReturnType<typeof containersOf>[number]): string[] {
  const { metadata, spec, status } = pod
  const ready = conditionOf(pod, 'Ready')
  const { terminated } = container.state ?? {}
  return [
    metadata?.name ?? '',
    spec?.nodeName ?? '',
    status?.phase ?? '',
    container.name,
    container.state ? showState(container.state) : '',
    String(container.restartCount ?? 0),
    metadata?.creationTimestamp ?? '',
    ready?.status === 'True' ? (ready.lastTransitionTime ?? '') : '',
    terminated?.finishedAt ?? '',
    gone ? new Date(at).toISOString() : '',
  ]
}

/** A line for each time that something changed of what scenarios look at, by the clock of the suite. */
export function podTimeline({ pods }: Pick<PodRecord, 'pods'>): string {
  const lines = pods.flatMap((moments) => {
    let last = ''
    return moments.flatMap(({ at, pod, gone }) => {
      const text = gone ? `${pod.metadata?.name} is gone` : showPod(pod)
      if (text === last) return []
      last = text
      return [{ at, text }]
    })
  })
  return lines
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, text }) => `${new Date(at).toISOString()}  ${text}`)
    .join('\n')
}

/** What each pod's containers said, before their last restart and since. */
async function podLogs(pods: Pods, ended: AbortSignal): Promise<readonly PodAttachment[]> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(LOGS_MS)])
  const names = new Set(pods.record.pods.map(([first]) => first?.pod.metadata?.name ?? ''))
  return Promise.all(
    [...names].map(async (name) => {
      const last = pods.record.of(name).at(-1)
      const heard = pods.knownHeard(name)?.lines
      const lines = heard ?? (last?.gone ? [] : await linesOf(last?.pod, pods.log(name, signal)))
      const text = inOrder(lines).map(timed).join('\n')
      return { fileName: `log of pod ${name}.txt`, text: text || 'not a word' }
    }),
  )
}

async function linesOf(pod: Pod | undefined, source: LogSource): Promise<SpokenLine[]> {
  const reads = (pod ? containersOf(pod) : []).flatMap(({ name, restartCount = 0 }) => [
    ...(restartCount > 0 ? [readLog(source, name, { previous: true, tailLines: LOG_LINES })] : []),
    readLog(source, name, { tailLines: LOG_LINES }),
  ])
  // A container that has not been started has no log, and the API answers with an error.
  const logs = await Promise.allSettled(reads)
  return logs.flatMap((log) => (log.status === 'fulfilled' ? log.value : []))
}

function timed(line: SpokenLine): string {
  return `${new Date(Number(line.at / 1_000_000n)).toISOString()}  ${showLine(line)}`
}
