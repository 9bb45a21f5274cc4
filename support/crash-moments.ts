import { INSTANCES_CONFIG_MAP } from '../src/contract/names.ts'
import type { ImplementationProcess } from './implementation-process.ts'
import { type Action, type Rule, WRITES } from './interference/rule.ts'
import { lateWriteOf } from './late-write.ts'
import type { PoolwrightWorld } from './world.ts'

/** Which write of an operation it is that a crash strikes, and whether the write still lands. */
interface Moment {
  readonly resource: string
  readonly object?: 'pool' | typeof INSTANCES_CONFIG_MAP
  readonly verbs: Rule['verbs']
  readonly strikes: 'before it arrives' | 'while it is stuck' | 'after it landed'
}

/** Moments in the life of setBYOH and of its clean-up, in the words of a feature. */
const CRASH_MOMENTS: Readonly<Record<string, Moment>> = {
  'as its allocation has landed': {
    resource: 'configmaps',
    object: 'pool',
    verbs: WRITES,
    strikes: 'after it landed',
  },
  'before its host is listed': {
    resource: 'configmaps',
    object: INSTANCES_CONFIG_MAP,
    verbs: WRITES,
    strikes: 'before it arrives',
  },
  'while the listing of its host is stuck on its way': {
    resource: 'configmaps',
    object: INSTANCES_CONFIG_MAP,
    verbs: WRITES,
    strikes: 'while it is stuck',
  },
  'as its host has been listed': {
    resource: 'configmaps',
    object: INSTANCES_CONFIG_MAP,
    verbs: WRITES,
    strikes: 'after it landed',
  },
  'as its host has been unlisted': {
    resource: 'configmaps',
    object: INSTANCES_CONFIG_MAP,
    verbs: WRITES,
    strikes: 'after it landed',
  },
  'before its host is released': {
    resource: 'configmaps',
    object: 'pool',
    verbs: WRITES,
    strikes: 'before it arrives',
  },
  'as its host has been released': {
    resource: 'configmaps',
    object: 'pool',
    verbs: WRITES,
    strikes: 'after it landed',
  },
  'as its MachineSet has been created': {
    resource: 'machinesets',
    verbs: ['create'],
    strikes: 'after it landed',
  },
  'as its MachineSet has been deleted': {
    resource: 'machinesets',
    verbs: ['delete'],
    strikes: 'after it landed',
  },
}

/** Kills the process at that moment of whatever it is asked next; resolves when it is dead. */
export function crashAt(
  world: PoolwrightWorld,
  words: string,
  process: ImplementationProcess,
): Promise<void> {
  const moment = CRASH_MOMENTS[words]
  if (!moment) throw new Error(`"${words}" is no moment of a crash: ${Object.keys(CRASH_MOMENTS).join('; ')}`)
  const { promise: struck, resolve: strike } = Promise.withResolvers<void>()
  const object = moment.object === 'pool' ? world.site.configMap : moment.object
  world.proxy.interfere({
    name: `${process.name} is killed ${words}`,
    verbs: moment.verbs,
    resource: moment.resource,
    ...(object !== undefined && { object }),
    occurrences: { first: 1 },
    action: actionOf(moment, strike, world),
  })
  return struck.then(() => process.kill())
}

function actionOf({ strikes }: Moment, strike: () => void, world: PoolwrightWorld): Action {
  if (strikes === 'after it landed') return { kind: 'keep-answer', landed: strike }
  // Held until the scenario is over, or the process is dead.
  const held = new Promise<void>((resolve) =>
    world.signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  const strikeAndHold = (): Promise<void> => {
    strike()
    return held
  }
  if (strikes === 'while it is stuck') return lateWriteOf(world).action(strikeAndHold)
  // The API never gets to see it.
  return { kind: 'before', run: strikeAndHold }
}
