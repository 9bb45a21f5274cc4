import { entryText } from './pool-table.ts'

/** What Kubernetes allows the values of one ConfigMap to have together. */
const MAX_BYTES = 1_048_576
/** An entry with a comment of this size is still read as one. */
const COMMENT_BYTES = 4_000

/** A pool of this many available entries, all alike. */
export function availableEntries(count: number): Record<string, string> {
  const addresses = Array.from({ length: count }, (_, index) => `10.1.${index >> 8}.${index & 255}`)
  const text = entryText({ address: '10.1.0.0' })
  return Object.fromEntries(addresses.map((address) => [address, text]))
}

/** A pool whose values fill a ConfigMap but for this many bytes: the text given as 192.0.2.10, the rest quarantined. */
export function almostFullPool(
  bytesLeft: number,
  first = entryText({ address: '192.0.2.10' }),
): Record<string, string> {
  const data = { '192.0.2.10': first } as Record<string, string>
  let left = MAX_BYTES - bytesLeft - Buffer.byteLength(data['192.0.2.10'] ?? '')
  for (let index = 0; left > 0; index++) {
    const address = `10.2.${index >> 8}.${index & 255}`
    const text = entryText({ address, status: 'quarantined' })
    const comment = left - text.length <= 2 * COMMENT_BYTES ? left - text.length : COMMENT_BYTES
    data[address] = `#${'.'.repeat(comment - 2)}\n${text}`
    left -= text.length + comment
  }
  return data
}
