import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { expect } from 'chai'
import { startServer } from '../../clusters/embedded/server/server.ts'
import { findKubectl, NO_KUBECTL } from '../../clusters/kubectl/find-kubectl.ts'
import type { KubectlCheck } from './check.ts'
import { inNamespace } from './in-namespace.ts'
import { PLAN } from './plan.ts'
import { RECORDED } from './recorded.ts'
import { runCheck } from './run-check.ts'

const LIMIT_MS = 300_000

const recorded = JSON.parse(await readFile(RECORDED, 'utf8')) as KubectlCheck[]
const kubectl = await findKubectl()

it('the recording holds exactly what is planned', () => {
  const inputs = recorded.map(({ name, commands }) => [
    name,
    commands.map(({ exit: _exit, stdout: _stdout, stderr: _stderr, ...planned }) => planned),
  ])
  expect(Object.fromEntries(inputs)).to.deep.equal(JSON.parse(JSON.stringify(PLAN)))
})

describe('kubectl prints against the embedded cluster what it printed against Kubernetes', {
  skip: kubectl === undefined && NO_KUBECTL,
  concurrency: 4,
}, async () => {
  if (kubectl === undefined) return
  const server = await startServer()
  const directory = await mkdtemp(join(tmpdir(), 'poolwright-kubectl-checks-'))
  const kubeconfig = join(directory, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig, { mode: 0o600 })
  after(async () => {
    await server.close()
    await rm(directory, { recursive: true, force: true })
  })
  for (const { name, namespace, commands } of recorded)
    it(name, { timeout: LIMIT_MS }, async ({ signal }) => {
      const planned = PLAN[name] ?? []
      const target = { kubectl, kubeconfig, signal }
      const ran = await inNamespace(kubeconfig, namespace, signal, () => runCheck(namespace, planned, target))
      const printed = ran.map(asTyped)
      for (const [index, command] of commands.entries()) expect(printed[index]).to.equal(asTyped(command))
      expect(printed).to.have.length(commands.length)
    })
})

/** As on a terminal, so that a difference shows the command beside what it printed. */
function asTyped({ argv, exit, stdout, stderr }: KubectlCheck['commands'][number]): string {
  return `$ ${argv.join(' ')}\n${stdout}${stderr}exit ${exit}`
}
