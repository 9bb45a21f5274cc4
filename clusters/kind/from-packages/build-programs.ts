import { type BuildRequest, buildFamily, familyKey } from './build-family.ts'
import { FAMILIES, type FamilyName, type ProgramFamily } from './programs.ts'
import { artifactPath, readArtifact } from './store.ts'

/** Where each family that was asked for lies. */
export type BuiltPrograms = ReadonlyMap<FamilyName, string>

/**
 * Builds what isn't there of these families, in the order that lets each use what was compiled before. Rejects with the
 * first failure; what was built until then stays.
 */
export async function buildPrograms(
  names: readonly FamilyName[],
  { signal, progress }: BuildRequest,
): Promise<BuiltPrograms> {
  const wanted = FAMILIES.filter(({ name }) => names.includes(name))
  const missing = await missingFamilies(names)
  const clock = new Estimate(missing)
  const built = new Map<FamilyName, string>()
  for (const family of wanted) {
    signal.throwIfAborted()
    const ahead = missing.includes(family) ? clock.line(family) : ''
    const say = (line: string): void => progress(`${ahead}${line}`)
    built.set(family.name, await buildFamily(family, { signal, progress: say }))
    clock.done(family)
  }
  return built
}

/** Seconds that building what isn't there of these families may take on two cores. */
export async function estimatePrograms(names: readonly FamilyName[]): Promise<number> {
  return sum(await missingFamilies(names))
}

/** Those of these families that aren't built from today's inputs. */
export async function missingFamilies(names: readonly FamilyName[]): Promise<readonly ProgramFamily[]> {
  const families = FAMILIES.filter(({ name }) => names.includes(name))
  const there = await Promise.all(
    families.map(async (family) => readArtifact(artifactPath(await familyKey(family)))),
  )
  return families.filter((_, index) => there[index] === undefined)
}

/** What is left, corrected by how this machine did until now. */
class Estimate {
  readonly #families: readonly ProgramFamily[]
  readonly #started = performance.now()
  readonly #done = new Set<ProgramFamily>()

  constructor(families: readonly ProgramFamily[]) {
    this.#families = families
  }

  done(family: ProgramFamily): void {
    this.#done.add(family)
  }

  /** "[3/9, 4 min 10 s gone, about 12 min left] ". */
  line(family: ProgramFamily): string {
    const place = `${this.#families.indexOf(family) + 1}/${this.#families.length}`
    const gone = (performance.now() - this.#started) / 1000
    const behind = sum(this.#families.filter((each) => this.#done.has(each)))
    const pace = behind > 0 ? gone / behind : 1
    const left = sum(this.#families.filter((each) => !this.#done.has(each))) * pace
    return `[${place}, ${duration(gone)} gone, about ${duration(left)} left] `
  }
}

function sum(families: readonly ProgramFamily[]): number {
  return families.reduce((total, { estimate }) => total + estimate, 0)
}

function duration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} min${whole < 600 && whole % 60 ? ` ${whole % 60} s` : ''}`
}
