import { isIP, isIPv4 } from 'node:net'
import type { AddressType } from '../contract/pool.ts'

export type AddressVerdict = { readonly type: AddressType } | { readonly refusal: string }

/** Says which type of address a key is, or why it is none: the first check that refuses gives the reason. */
export function judgeAddress(address: string): AddressVerdict {
  for (const check of CHECKS) {
    const refusal = check.refuses(address)
    if (refusal) return { refusal }
  }
  return { type: isIPv4(address) ? 'ip' : 'dns' }
}

const CHECKS: readonly { readonly name: string; refuses(address: string): string | undefined }[] = [
  { name: 'present', refuses: (a) => (a === '' ? 'it is empty' : undefined) },
  {
    name: 'ipv6',
    refuses: (a) =>
      isIP(a) === 6 ? 'it is an IPv6 address, and “:” is not allowed in a ConfigMap key' : undefined,
  },
  { name: 'upper-case', refuses: (a) => (/[A-Z]/.test(a) ? 'it has upper-case letters' : undefined) },
  { name: 'underscore', refuses: (a) => (a.includes('_') ? 'it has an underscore' : undefined) },
  { name: 'length', refuses: (a) => (a.length > 253 ? 'it is longer than 253 characters' : undefined) },
  {
    name: 'shape',
    refuses: (a) => (isIPv4(a) || isDnsName(a) ? undefined : 'it is neither a DNS name nor an IPv4 address'),
  },
]

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** RFC 1123; a name whose last label is a number would be read as an IPv4 address by most clients, so it is none. */
function isDnsName(address: string): boolean {
  const labels = address.split('.')
  return labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
}
