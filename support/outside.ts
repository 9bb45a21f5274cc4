import { readFileSync } from 'node:fs'
import { PROVIDERS } from '../clusters/registry.ts'
import type { PoolwrightWorld } from './world.ts'

/** What a client outside the cluster's network saw; a dial that fails has a code and says why. */
export interface SeenOutside {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

const ACTOR = new URL('pods/actor.mjs', import.meta.url)

/** Does something in the actor's words where a client outside the cluster would be. */
export function seeFromOutside(world: PoolwrightWorld, does: readonly string[]): Promise<SeenOutside> {
  const { rung, cluster } = world.run
  const { outside } = PROVIDERS.find((provider) => provider.rung === rung) ?? {}
  if (!outside)
    throw new Error(`the ${rung} rung has no client outside: the scenario needs @needs-outside-vantage`)
  const code = readFileSync(ACTOR, 'utf8')
  return outside.run({ cluster, code, words: does, signal: world.signal })
}
