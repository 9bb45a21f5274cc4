import { CHANGES_HOSTS_TAG, CHANGES_TAG } from '../../support/safety/hold.ts'

/** Hosts of one kind, and how they are called. */
interface Range {
  readonly whose: string
  /** Whose scenarios name them. */
  readonly isFor: (tags: readonly string[]) => boolean
  readonly scenarios: string
  /** From RFC 5737 and RFC 2606: nobody's. */
  readonly network: string
  readonly domain: string
}

const CONFIGURED: Range = {
  whose: 'hosts that the Windows operator configures',
  isFor: (tags) => tags.includes(CHANGES_HOSTS_TAG),
  scenarios: `tagged ${CHANGES_HOSTS_TAG}`,
  network: '203.0.113.0/24',
  domain: 'example.net',
}

/**
 * Nodes are seen by every scenario of a cluster, by their addresses: an allocation passes over a host whose Node is not Ready.
 * So hosts that have a Node, and hosts that have none, are never called the same.
 */
export const RANGES: readonly Range[] = [
  CONFIGURED,
  {
    whose: 'Nodes that a scenario makes',
    isFor: (tags) => tags.includes(CHANGES_TAG),
    scenarios: `tagged ${CHANGES_TAG}`,
    network: '198.51.100.0/24',
    domain: 'example.org',
  },
  {
    whose: 'hosts without a Node',
    isFor: (tags) => !CONFIGURED.isFor(tags),
    scenarios: `not tagged ${CHANGES_HOSTS_TAG}`,
    network: '192.0.2.0/24',
    domain: 'example.com',
  },
]

/** What is wrong with the addresses that a scenario names, in words, the first of each range. */
export function wrongAddresses(texts: readonly string[], tags: readonly string[]): readonly string[] {
  return RANGES.filter((range) => !range.isFor(tags)).flatMap((range) => {
    const [address] = texts.flatMap((text) => text.match(addressesOf(range)) ?? [])
    if (address === undefined) return []
    const remedy = CONFIGURED.isFor(tags)
      ? `take ${CONFIGURED.network} and ${CONFIGURED.domain}`
      : `those are for scenarios ${range.scenarios}`
    return [`names ${address}, an address of ${range.whose}: ${remedy}`]
  })
}

/** The ranges are whole numbers before the last dot. */
function addressesOf({ network, domain }: Range): RegExp {
  const prefix = network.replace(/\d+\/24$/, '')
  return new RegExp(`\\b${RegExp.escape(prefix)}\\d+\\b|\\b[\\w-]+\\.${RegExp.escape(domain)}\\b`, 'g')
}
