import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { KubeConnection } from '../../src/kube/kubeconfig.ts'

/**
 * Writes a kubeconfig with this one connection as its only and current context, readable by its owner alone: whoever
 * reads it later can't pick another cluster by mistake, and a change of the user's own file changes no run.
 */
export async function writeConnection(path: string, connection: KubeConnection): Promise<void> {
  const name = 'poolwright'
  const { certificateAuthority, clientCertificate, clientKey, token, tokenFile, tlsServerName } = connection
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server: connection.server,
          ...(certificateAuthority && { 'certificate-authority-data': base64(certificateAuthority) }),
          ...(tlsServerName && { 'tls-server-name': tlsServerName }),
          ...(connection.insecure && { 'insecure-skip-tls-verify': true }),
        },
      },
    ],
    users: [
      {
        name,
        user: {
          ...(clientCertificate && { 'client-certificate-data': base64(clientCertificate) }),
          ...(clientKey && { 'client-key-data': base64(clientKey) }),
          ...(token && { token }),
          ...(tokenFile && { tokenFile }),
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name, namespace: connection.namespace } }],
    'current-context': name,
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Whole or not at all: somebody may be reading it.
  const next = `${path}.${process.pid}`
  await writeFile(next, JSON.stringify(content, undefined, 2), { mode: 0o600 })
  await rename(next, path)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
