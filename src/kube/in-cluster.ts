import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KubeConnection } from './kubeconfig.ts'

/** Where a kubelet puts what a pod's service account is let in with. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

/** This process doesn't run in a pod with a service account; the message says what is missing. */
class NotInClusterError extends Error {
  constructor(problem: string, options?: { cause?: unknown }) {
    super(`not in a cluster: ${problem}`, options)
    this.name = 'NotInClusterError'
  }
}

/** The API of the cluster that this pod runs in, with the rights of its service account. Throws NotInClusterError. */
export async function inClusterConnection(
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
  serviceAccount: string = SERVICE_ACCOUNT,
): Promise<KubeConnection> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment
  if (!host || !port)
    throw new NotInClusterError('KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set')
  const read = (name: string): Promise<string> => {
    const path = join(serviceAccount, name)
    return readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
      throw new NotInClusterError(`${path} can't be read (${cause.code})`, { cause })
    })
  }
  const [certificateAuthority, namespace] = await Promise.all([read('ca.crt'), read('namespace')])
  const address = host.includes(':') ? `[${host}]` : host
  return {
    server: `https://${address}:${port}`,
    certificateAuthority,
    tokenFile: join(serviceAccount, 'token'),
    insecure: false,
    namespace: namespace.trim(),
  }
}
