import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { KubeConnection } from './kubeconfig.ts'

/**
 * Keeps connections to the API alive until `destroy`. Certificates are read once for all of them: Node would read them
 * again for every connection, and every watch has one of its own.
 */
export function agentFor(connection: KubeConnection): HttpAgent | HttpsAgent {
  if (connection.server.startsWith('http:')) return new HttpAgent({ keepAlive: true })
  return new HttpsAgent({
    keepAlive: true,
    secureContext: createSecureContext({
      ...(connection.certificateAuthority && { ca: connection.certificateAuthority }),
      ...(connection.clientCertificate && { cert: connection.clientCertificate }),
      ...(connection.clientKey && { key: connection.clientKey }),
    }),
    ...(connection.tlsServerName && { servername: connection.tlsServerName }),
    rejectUnauthorized: !connection.insecure,
  })
}
