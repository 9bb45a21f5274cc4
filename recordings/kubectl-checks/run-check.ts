import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa, type Options } from 'execa'
import { ownEnvironment } from '../../clusters/kubectl/own-environment.ts'
import type { PlannedCommand, RecordedCommand } from './check.ts'
import { OutputNormaliser } from './normalise.ts'

const LIMIT_MS = 60_000

/** Which kubectl, and against which cluster. */
export interface KubectlTarget {
  readonly kubectl: string
  readonly kubeconfig: string
  readonly signal: AbortSignal
}

/**
 * Runs the commands of one check, one after the other, and answers each with its normalised output. The user's own kubectl
 * settings and caches play no part.
 */
export async function runCheck(
  namespace: string,
  commands: readonly PlannedCommand[],
  target: KubectlTarget,
): Promise<RecordedCommand[]> {
  const home = await mkdtemp(join(tmpdir(), 'poolwright-kubectl-'))
  try {
    const output = new OutputNormaliser()
    const recorded: RecordedCommand[] = []
    for (const command of commands) {
      const result = await runCommand(command, namespace, home, target)
      const { exit } = result
      const [stdout, stderr] = [output.normalise(result.stdout), output.normalise(result.stderr)]
      recorded.push({ ...command, exit, stdout, stderr })
    }
    return recorded
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

interface RawResult {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

async function runCommand(
  command: PlannedCommand,
  namespace: string,
  home: string,
  target: KubectlTarget,
): Promise<RawResult> {
  const [, ...args] = command.argv.map((word) => word.replaceAll('NS', namespace))
  const running = execa(target.kubectl, args, {
    ...optionsFor(home, target),
    ...(command.stdin === undefined
      ? { stdin: 'ignore' }
      : { input: command.stdin.replaceAll('NS', namespace) }),
  })
  let printed = ''
  let ended = false
  const rest = [...(command.during ?? [])]
  let meanwhile = Promise.resolve()
  running.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8')
    const next = rest.splice(0)
    for (const each of next)
      meanwhile = meanwhile.then(async () => void (await runCommand(each, namespace, home, target)))
    if (command.untilLines !== undefined && printed.split('\n').length > command.untilLines) {
      ended = true
      running.kill('SIGTERM')
    }
  })
  const { exitCode, stdout, stderr, timedOut } = await running
  await meanwhile
  target.signal.throwIfAborted()
  if (timedOut)
    throw new Error(`${command.argv.join(' ')} did not end within ${LIMIT_MS} ms; it printed ${stdout}`)
  return { exit: ended ? null : (exitCode ?? null), stdout: String(stdout), stderr: String(stderr) }
}

function optionsFor(home: string, { kubeconfig, signal }: KubectlTarget) {
  return {
    env: {
      ...ownEnvironment(home, kubeconfig),
      // Hundreds of processes that live for a tenth of a second: to collect garbage on all cores costs a fourth of their CPU.
      GOGC: 'off',
      GOMAXPROCS: '1',
    },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    timeout: LIMIT_MS,
    cancelSignal: signal,
  } satisfies Options
}
