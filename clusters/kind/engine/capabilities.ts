import { readFile } from 'node:fs/promises'

/** capability.h: its bit in the sets of /proc/PID/status. */
const CAP_SYS_RESOURCE = 24n

/** Whether no process of this machine can have CAP_SYS_RESOURCE, not even root's. */
export async function lacksSysResource(): Promise<boolean> {
  return lacksSysResourceIn(await readFile('/proc/self/status', 'utf8').catch(() => ''))
}

/** Of the text of /proc/PID/status: the bounding set is what a process may ever get. */
export function lacksSysResourceIn(status: string): boolean {
  const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1]
  return bounding !== undefined && ((BigInt(`0x${bounding}`) >> CAP_SYS_RESOURCE) & 1n) === 0n
}
