/**
 * One run of the suite that is to be killed: `suite-run.ts '{"description": …, "tags": …, "reports": …}'`. The cluster is up
 * and stays; what its provider said of it is handed on, with a kubeconfig that leads through a proxy.
 */
import { fileURLToPath } from 'node:url'
import type { ClusterDescription } from '../../clusters/provider.ts'
import { REFERENCE } from '../run/cucumber-request.ts'
import { runSuite } from '../run/run.ts'

/** Plain data: it crosses the process boundary as JSON. */
export interface SuiteRunRequest {
  readonly description: ClusterDescription
  readonly tags: string
  /** Absolute path of the folder that reports go to. */
  readonly reports: string
}

const { description, tags, reports } = JSON.parse(process.argv[2] ?? '') as SuiteRunRequest
const { exitCode } = await runSuite({
  provider: {
    rung: description.rung,
    settings: [],
    ownedByRun: false,
    up: async () => description,
    status: async () => description,
    down: async () => undefined,
  },
  paths: [fileURLToPath(new URL('scenario/features', import.meta.url))],
  tags,
  parallel: 1,
  retry: 0,
  require: [],
  implementation: REFERENCE,
  reports,
  configuration: fileURLToPath(new URL('scenario/cucumber.json', import.meta.url)),
  allure: false,
  systemPackages: false,
})
process.exitCode = exitCode
