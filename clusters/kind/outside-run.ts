import { execa } from 'execa'
import type { OutsideRun, OutsideVantage } from '../provider.ts'
import { findEngine } from './engine/find-engine.ts'
import { vantageName } from './outside-vantage.ts'
import { siteOf } from './site.ts'

/** Programs in the container beside the nodes: what they reach is announced or published. */
export const outsideVantage: OutsideVantage = {
  async run({ cluster, code, words, signal }: OutsideRun) {
    const { environment } = await findEngine(signal)
    const name = vantageName(siteOf(cluster).cluster)
    const command = ['exec', '--interactive', name, 'node', '--input-type=module', '-', ...words]
    const { exitCode, stdout, stderr } = await execa('docker', command, {
      env: environment,
      input: code,
      reject: false,
      cancelSignal: signal,
    })
    signal.throwIfAborted()
    return { exitCode: exitCode ?? -1, stdout, stderr }
  },
}
