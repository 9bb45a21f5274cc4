import type { Identity } from './certificates.ts'

const CONTEXT = 'poolwright-embedded'

/** A kubeconfig with two users, one per way to authenticate; the context uses the client certificate. JSON is YAML. */
export function kubeconfig(of: {
  server: string
  authority: string
  admin: Identity
  token: string
}): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': CONTEXT,
    clusters: [
      { name: CONTEXT, cluster: { server: of.server, 'certificate-authority-data': base64(of.authority) } },
    ],
    users: [
      {
        name: `${CONTEXT}-admin`,
        user: {
          'client-certificate-data': base64(of.admin.certificate),
          'client-key-data': base64(of.admin.key),
        },
      },
      { name: `${CONTEXT}-token`, user: { token: of.token } },
    ],
    contexts: [
      { name: CONTEXT, context: { cluster: CONTEXT, user: `${CONTEXT}-admin` } },
      { name: `${CONTEXT}-token`, context: { cluster: CONTEXT, user: `${CONTEXT}-token` } },
    ],
  }
  return `${JSON.stringify(config, undefined, 2)}\n`
}
