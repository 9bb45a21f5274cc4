import { CAPABILITIES, type Capability } from '../src/contract/capabilities.ts'

const NEEDS = '@needs-'

/**
 * What a scenario's tags ask for that this rung doesn't have, in the order of the tags. Throws for what no rung could
 * have: such a scenario would be skipped for ever.
 */
export function missingCapabilities(
  tags: readonly string[],
  present: readonly Capability[],
): readonly Capability[] {
  const needed = tags.filter((tag) => tag.startsWith(NEEDS)).map((tag) => tag.slice(NEEDS.length))
  const unknown = needed.find((name) => !Object.hasOwn(CAPABILITIES, name))
  if (unknown !== undefined)
    throw new Error(
      `tag ${NEEDS}${unknown} asks for what no cluster has; there is ${Object.keys(CAPABILITIES).join(', ')}`,
    )
  return (needed as Capability[]).filter((capability) => !present.includes(capability))
}
