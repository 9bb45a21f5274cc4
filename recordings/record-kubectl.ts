/** `npm run record-kubectl -- --kubeconfig FILE`: runs the kubectl checks against a real Kubernetes and keeps what it printed. */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { findKubectl, NO_KUBECTL } from '../clusters/kubectl/find-kubectl.ts'
import type { KubectlCheck } from './kubectl-checks/check.ts'
import { inNamespace } from './kubectl-checks/in-namespace.ts'
import { PLAN } from './kubectl-checks/plan.ts'
import { RECORDED, serverVersion } from './kubectl-checks/recorded.ts'
import { runCheck } from './kubectl-checks/run-check.ts'

const { kubeconfig } = parseArgs({ options: { kubeconfig: { type: 'string' } } }).values
const kubectl = await findKubectl()
if (kubeconfig === undefined || kubectl === undefined) {
  process.stderr.write(`${kubectl ? 'usage: npm run record-kubectl -- --kubeconfig FILE' : NO_KUBECTL}\n`)
  process.exit(2)
}
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(signal))
const target = { kubectl, kubeconfig, signal: stop.signal }
const kubernetes = await serverVersion(kubeconfig, stop.signal)
const checks: KubectlCheck[] = []
for (const [name, commands] of Object.entries(PLAN)) {
  const namespace = `kubectl-${name}`
  const ran = await inNamespace(kubeconfig, namespace, stop.signal, () =>
    runCheck(namespace, commands, target),
  )
  checks.push({ name, kubernetes, namespace, commands: ran })
  process.stdout.write(`${name}: ${ran.length} commands\n`)
}
await writeFile(RECORDED, `${JSON.stringify(checks, null, 2)}\n`)
