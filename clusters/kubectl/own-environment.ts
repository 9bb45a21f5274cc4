import { join } from 'node:path'

/** The whole environment of a kubectl that depends on nothing of this machine's user: its answers are the cluster's alone. */
export function ownEnvironment(home: string, kubeconfig: string): Readonly<Record<string, string>> {
  return { PATH: '', HOME: home, KUBECONFIG: kubeconfig, KUBECACHEDIR: join(home, 'cache'), LC_ALL: 'C' }
}
