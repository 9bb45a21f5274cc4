import { execa } from 'execa'
import { whyNotInstall } from './system/install-permission.ts'
import { isOnPath, type Machine, thisMachine } from './system/machine.ts'
import { NEEDS, type Need, type NeedName } from './system/needs.ts'

/** Fetching and unpacking behind a slow line, in milliseconds. */
const INSTALL_LIMIT_MS = 15 * 60_000

export interface SystemPackagesRequest {
  /** False with --no-system-packages. */
  readonly allowed: boolean
  readonly signal: AbortSignal
  /** One line per thing done to the machine. */
  readonly say: (line: string) => void
  readonly machine?: Machine
}

/**
 * Installs the distribution packages that a command needs and this machine lacks, where that is allowed: as root on
 * Debian or Ubuntu, each with a printed line. Never throws: resolves with what is still missing, since whoever needs
 * it says so best itself.
 */
export async function ensureSystemPackages(
  names: readonly NeedName[],
  { allowed, signal, say, machine = thisMachine() }: SystemPackagesRequest,
): Promise<readonly NeedName[]> {
  const missing = missingNeeds(names, machine)
  if (missing.length === 0 || !allowed || whyNotInstall(machine)) return missing.map(({ name }) => name)
  const packages = missing.flatMap(packagesOf)
  for (const need of missing) {
    say(
      `Installing ${packagesOf(need).join(' and ')} with apt-get, for ${need.purpose} (--no-system-packages forbids it)`,
    )
  }
  const problem = await aptInstall(
    packages,
    machine,
    AbortSignal.any([signal, AbortSignal.timeout(INSTALL_LIMIT_MS)]),
  )
  if (problem) say(`apt-get could not install ${packages.join(', ')}: ${problem}`)
  return missingNeeds(names, machine).map(({ name }) => name)
}

function packagesOf({ debianPackage, besides = [] }: Need): readonly string[] {
  return [debianPackage, ...besides]
}

function missingNeeds(names: readonly NeedName[], machine: Machine): readonly Need[] {
  return NEEDS.filter(({ name, program }) => names.includes(name) && !isOnPath(program, machine))
}

/** The package lists of a new machine are empty or old: only then are they fetched. Resolves with what went wrong. */
async function aptInstall(
  packages: readonly string[],
  machine: Machine,
  signal: AbortSignal,
): Promise<string | undefined> {
  const install = ['install', '--yes', '--no-install-recommends', ...packages]
  if (!(await aptGet(install, machine, signal))) return undefined
  return (await aptGet(['update'], machine, signal)) ?? (await aptGet(install, machine, signal))
}

async function aptGet(
  words: readonly string[],
  { environment }: Machine,
  cancelSignal: AbortSignal,
): Promise<string | undefined> {
  const result = await execa('apt-get', ['--quiet', ...words], {
    all: true,
    reject: false,
    stdin: 'ignore',
    extendEnv: false,
    env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
    cancelSignal,
  })
  if (!result.failed) return undefined
  return result.all?.trim().split('\n').at(-1) || result.shortMessage
}
