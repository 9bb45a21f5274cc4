import type { PoolwrightWorld } from './world.ts'

/** What each scenario has one of. */
export interface PerWorld<T> {
  /** Made when it is first asked for; it goes with the scenario. */
  (world: PoolwrightWorld): T
  /** Undefined where the scenario never asked for it. */
  known(world: object): T | undefined
}

export function perWorld<T extends object>(make: (world: PoolwrightWorld) => T): PerWorld<T> {
  const made = new WeakMap<object, T>()
  const of = (world: PoolwrightWorld): T => {
    const one = made.get(world) ?? make(world)
    made.set(world, one)
    return one
  }
  return Object.assign(of, { known: (world: object) => made.get(world) })
}
