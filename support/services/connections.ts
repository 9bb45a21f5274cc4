import { textTable } from '../evidence/text-table.ts'
import { seeFromOutside } from '../outside.ts'
import { podsOf } from '../pods/pods.ts'
import type { PoolwrightWorld } from '../world.ts'
import { ConnectionError, isAnsweredBy, isUnanswered, type Round, roundOf, showRound } from './round.ts'
import type { Protocol } from './service.ts'

/** A pod of the cluster, or a client outside its network. */
export type Vantage = 'inside' | 'outside'

export interface Target {
  readonly from: Vantage
  readonly protocol: Protocol
  readonly host: string
  readonly port: number
}

/** So many that a second server among those chosen by chance is not missed once in a million. */
const CONNECTIONS = 20

/**
 * Connects, a round of connections after the other, until each of these servers and nobody else has answered in one
 * round. What the nodes do with connections can't be watched, only tried; each try takes its time.
 */
export function untilAnsweredBy(
  world: PoolwrightWorld,
  target: Target,
  servers: readonly string[],
): Promise<void> {
  const what = `to be answered by ${servers.join(' and ')} alone`
  return dialUntil(world, target, what, CONNECTIONS, (round) => isAnsweredBy(round, servers))
}

/** Connects until nobody answers. */
export function untilUnanswered(world: PoolwrightWorld, target: Target): Promise<void> {
  return dialUntil(world, target, 'to be answered by nobody', 1, isUnanswered)
}

async function dialUntil(
  world: PoolwrightWorld,
  target: Target,
  what: string,
  count: number,
  takes: (round: Round) => boolean,
): Promise<void> {
  const { from, protocol, host, port } = target
  const rows: string[][] = []
  const begin = performance.now()
  try {
    do {
      const round = await dial(world, target, count)
      rows.push([new Date().toISOString(), from, protocol, `${host}:${port}`, showRound(round)])
      if (takes(round)) return
    } while (performance.now() - begin < world.limits.reaction)
  } finally {
    const text = textTable(['time', 'from', 'by', 'to', 'answers'], rows)
    world.attach(text, { mediaType: 'text/plain', fileName: `connections to ${host} ${port}.txt` })
  }
  throw new ConnectionError(
    `waited ${world.limits.reaction} ms for ${protocol} to ${host}:${port} from ${from} ${what}; last seen: ${rows.at(-1)?.at(-1)}`,
  )
}

async function dial(world: PoolwrightWorld, target: Target, count: number): Promise<Round> {
  const { from, protocol, host, port } = target
  const word = `${protocol === 'TCP' ? 'dial' : 'ask'}:${host}:${port}`
  const does = Array.from({ length: count }, () => word)
  return roundOf(await (from === 'inside' ? podsOf(world).see(does) : seeFromOutside(world, does)))
}
