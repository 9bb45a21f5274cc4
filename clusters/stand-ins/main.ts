import { rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { KubeClient } from '../../src/kube/client.ts'
import { inClusterConnection } from '../../src/kube/in-cluster.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { openLog } from './log.ts'
import { startMachineController } from './machine-controller.ts'
import { startOperatorGate } from './operator-pod.ts'
import { refuseRealOpenShift } from './refuse-real-openshift.ts'
import { startWindowsOperator } from './windows-operator.ts'

/**
 * The Windows stand-ins as one process: `main.ts --kubeconfig FILE`, or without one as a pod of the cluster. Once all of
 * them have caught up with the cluster it prints {"ready":true} on stdout and makes the file that --ready-file names
 * (one that an earlier start left is removed at once); logs to stderr; ends on SIGTERM or SIGINT. --image is what the operator's pod runs, where pods really run.
 */
const { values } = parseArgs({
  options: { kubeconfig: { type: 'string' }, image: { type: 'string' }, 'ready-file': { type: 'string' } },
})
const controller = new AbortController()
const log = openLog('stand-ins')
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => controller.abort(new Error(name)))
// Nothing under way may delay the end: every write is one small request that can be lost.
controller.signal.addEventListener('abort', () => setTimeout(() => process.exit(0), 500).unref())

try {
  const { kubeconfig, 'ready-file': readyFile } = values
  if (readyFile !== undefined) await rm(readyFile, { force: true })
  const client = new KubeClient(await (kubeconfig ? loadKubeconfig(kubeconfig) : inClusterConnection()))
  await refuseRealOpenShift(client, controller.signal)
  // First the Machine API, whose resources the operator watches.
  const machines = await startMachineController(client, openLog('machine-controller'), controller.signal)
  const operatorLog = openLog('windows-operator')
  const operator = await startWindowsOperator(client, operatorLog, controller.signal, values.image)
  const parts = [machines, operator]
  if (values.image) parts.push(startOperatorGate(client, operatorLog, controller.signal))
  await Promise.all(parts.map(({ ready }) => ready))
  process.stdout.write(`${JSON.stringify({ ready: true })}\n`)
  if (readyFile !== undefined) await writeFile(readyFile, '')
  await Promise.all(parts.map(({ ended }) => ended))
  client.close()
} catch (error) {
  if (!controller.signal.aborted) {
    log('error', String(error))
    process.exitCode = 2
  }
}
