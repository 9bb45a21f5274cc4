import { parseArgs } from 'node:util'
import { KubeClient } from '../../src/kube/client.ts'
import { inClusterConnection } from '../../src/kube/in-cluster.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { openLog } from './log.ts'
import { startMachineController } from './machine-controller.ts'
import { refuseRealOpenShift } from './refuse-real-openshift.ts'
import { startWindowsOperator } from './windows-operator.ts'

/**
 * The Windows stand-ins as one process: `main.ts --kubeconfig FILE`, or without one as a pod of the cluster. Prints {"ready":true} on stdout once both have
 * caught up with the cluster, logs to stderr, and ends on SIGTERM or SIGINT.
 */
const { values } = parseArgs({ options: { kubeconfig: { type: 'string' } } })
const controller = new AbortController()
const log = openLog('stand-ins')
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => controller.abort(new Error(name)))
// Nothing under way may delay the end: every write is one small request that can be lost.
controller.signal.addEventListener('abort', () => setTimeout(() => process.exit(0), 500).unref())

try {
  const { kubeconfig } = values
  const client = new KubeClient(await (kubeconfig ? loadKubeconfig(kubeconfig) : inClusterConnection()))
  await refuseRealOpenShift(client, controller.signal)
  // First the Machine API, whose resources the operator watches.
  const machines = await startMachineController(client, openLog('machine-controller'), controller.signal)
  const operator = await startWindowsOperator(client, openLog('windows-operator'), controller.signal)
  await Promise.all([machines.ready, operator.ready])
  process.stdout.write(`${JSON.stringify({ ready: true })}\n`)
  await Promise.all([machines.ended, operator.ended])
  client.close()
} catch (error) {
  if (!controller.signal.aborted) {
    log('error', String(error))
    process.exitCode = 2
  }
}
