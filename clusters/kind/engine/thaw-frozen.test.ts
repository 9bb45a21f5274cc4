import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { expect } from 'chai'
import { thawFrozen } from './thaw-frozen.ts'

const NODE = 'a1'.repeat(32)
const OTHER = 'b2'.repeat(32)

let freezer: string
beforeEach(async () => {
  freezer = await mkdtemp(join(tmpdir(), 'poolwright-freezer-'))
})
afterEach(() => rm(freezer, { recursive: true }))

async function place(cgroup: string, state: string): Promise<void> {
  await mkdir(join(freezer, cgroup), { recursive: true })
  await writeFile(join(freezer, cgroup, 'freezer.state'), `${state}\n`)
}

const state = (cgroup: string) => readFile(join(freezer, cgroup, 'freezer.state'), 'utf8')

it("thaws what is frozen in a container's cgroups, wherever they lie, and nothing else", async () => {
  const sandbox = `engine/docker/${NODE}/kubelet/kubepods/burstable/podx/sandbox`
  await place(`engine/docker/${NODE}`, 'THAWED')
  await place(`engine/docker/${NODE}/kubelet`, 'THAWED')
  await place(sandbox, 'FROZEN')
  await place(`engine/docker/${NODE}/other`, 'FREEZING')
  await place(`engine/docker/${OTHER}`, 'FROZEN')
  expect(await thawFrozen(NODE, freezer)).to.equal(2)
  expect(await state(sandbox)).to.equal('THAWED')
  expect(await state(`engine/docker/${NODE}/other`)).to.equal('THAWED')
  expect(await state(`engine/docker/${OTHER}`)).to.equal('FROZEN\n')
})

it('has nothing to do where there is no freezer of version 1', async () => {
  expect(await thawFrozen(NODE, join(freezer, 'none'))).to.equal(0)
})

it('takes nothing for a container that can not be its id', async () => {
  const error = await thawFrozen('docker', freezer).catch((reason: unknown) => reason)
  expect(String(error)).to.equal('TypeError: expected a container\'s full id in hexadecimal, found "docker"')
})
