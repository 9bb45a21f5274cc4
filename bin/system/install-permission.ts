import { isDebianLike, isOnPath, type Machine } from './machine.ts'

/** Refusals in order; the first that applies is the reason. */
const REFUSALS: readonly { readonly applies: (machine: Machine) => boolean; readonly reason: string }[] = [
  { applies: (machine) => !isDebianLike(machine), reason: 'this is neither Debian nor Ubuntu' },
  { applies: (machine) => !isOnPath('apt-get', machine), reason: 'there is no apt-get' },
  { applies: ({ root }) => !root, reason: 'only root may install packages' },
]

/** Why packages can't be installed from here; undefined where they can. */
export function whyNotInstall(machine: Machine): string | undefined {
  return REFUSALS.find(({ applies }) => applies(machine))?.reason
}
