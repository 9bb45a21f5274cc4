import { CHANGES_HOSTS_TAG, CHANGES_TAG } from '../../support/safety/hold.ts'

/**
 * Nodes are seen by every scenario of a cluster, by their addresses: an allocation passes over a host whose Node is not Ready.
 * So hosts that have a Node, and hosts that have none, are never called the same.
 */
const RANGES: readonly Range[] = [
  {
    whose: 'hosts that the Windows operator configures',
    tag: CHANGES_HOSTS_TAG,
    network: '203.0.113.0/24',
    domain: 'example.net',
    pattern: /\b203\.0\.113\.\d+\b|\b[\w-]+\.example\.net\b/g,
  },
  {
    whose: 'Nodes that a scenario makes',
    tag: CHANGES_TAG,
    network: '198.51.100.0/24',
    domain: 'example.org',
    pattern: /\b198\.51\.100\.\d+\b|\b[\w-]+\.example\.org\b/g,
  },
  {
    whose: 'hosts without a Node',
    tag: undefined,
    network: '192.0.2.0/24',
    domain: 'example.com',
    pattern: /\b192\.0\.2\.\d+\b|\b[\w-]+\.example\.com\b/g,
  },
]

interface Range {
  readonly whose: string
  /** Without it no scenario names one. */
  readonly tag: string | undefined
  /** From RFC 5737 and RFC 2606: nobody's. */
  readonly network: string
  readonly domain: string
  readonly pattern: RegExp
}

/** What is wrong with the addresses that a scenario names, in words, the first of each range. */
export function wrongAddresses(texts: readonly string[], tags: readonly string[]): readonly string[] {
  const isOfHosts = tags.includes(CHANGES_HOSTS_TAG)
  return RANGES.flatMap((range) => {
    const [address] = texts.flatMap((text) => text.match(range.pattern) ?? [])
    const isForTags = range.tag === undefined ? !isOfHosts : tags.includes(range.tag)
    if (address === undefined || isForTags) return []
    const [own] = RANGES
    const remedy =
      isOfHosts && own
        ? `take ${own.network} and ${own.domain}`
        : `those are for scenarios tagged ${range.tag}`
    return [`names ${address}, an address of ${range.whose}: ${remedy}`]
  })
}
