/** Below those that node ports and the kernel give away. */
const FIRST = 20_000
const COUNT = 9_000

/** The port of a node that a scenario may have to itself: the same throughout it, and hardly another's. */
export function hostPortOf({ scenario }: { readonly scenario: string }): number {
  return FIRST + (Number.parseInt(scenario.slice(-6), 16) % COUNT)
}
