import { isIPv4 } from 'node:net'
import type { ConfigMap } from '../../src/contract/kubernetes.ts'

/** A host that the operator is asked to configure. */
export interface WindowsInstance {
  readonly address: string
  readonly username: string
}

/**
 * Reads `<address>: username=<user>` as the Windows Machine Config Operator does. It would reject the whole
 * ConfigMap for one bad line; the stand-in sets the line aside, so that one scenario can't stop another.
 */
export function readInstances(configMap: ConfigMap | undefined): {
  instances: WindowsInstance[]
  invalid: { address: string; problem: string }[]
} {
  const instances: WindowsInstance[] = []
  const invalid: { address: string; problem: string }[] = []
  for (const [address, line] of Object.entries(configMap?.data ?? {})) {
    const username = /^username=(\S+)\s*$/.exec(line)?.[1]
    if (!isIPv4(address) && !DNS_NAME.test(address))
      invalid.push({ address, problem: 'it is neither an IPv4 address nor a DNS name' })
    else if (!username) invalid.push({ address, problem: 'its value is not "username=<user>"' })
    else instances.push({ address, username })
  }
  return { instances, invalid }
}

const LABEL = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?'
/** RFC 1123; the last label is not a number, or it would be a mistyped address. */
const DNS_NAME = new RegExp(`^(?=.{1,253}$)(${LABEL}\\.)*(?!\\d+$)${LABEL}$`)
