import type { Capability } from '../src/contract/capabilities.ts'

const NEEDS = '@needs-'

/** What a scenario's tags ask for that this rung doesn't have, in the order of the tags. */
export function missingCapabilities(tags: readonly string[], present: readonly Capability[]): string[] {
  const needed = tags.filter((tag) => tag.startsWith(NEEDS)).map((tag) => tag.slice(NEEDS.length))
  return needed.filter((capability) => !present.includes(capability as Capability))
}
