import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { ADMINS_TAINT, StayingCluster } from './fixtures/changing/staying-cluster.ts'

let cluster: StayingCluster
before(async () => {
  cluster = await StayingCluster.start()
})
after(() => cluster.end())

describe('a cluster that stays', {
  skip: process.platform !== 'linux' && 'looks for processes in /proc',
}, () => {
  it('is as it was after a run that came to its end', async () => {
    const { exitCode, all } = await cluster.start('@all').child
    expect(exitCode, all).to.equal(0)
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })

  it('is as it was after Ctrl-C, but for what somebody else did meanwhile', async () => {
    const { child, printed } = cluster.start('@waits')
    await printed('waiting')
    expect(await cluster.snapshot(), 'in the middle').not.to.equal(cluster.asFound)
    const planted = await cluster.plant()
    child.kill('SIGINT')
    const { exitCode, all } = await child
    expect(exitCode, all).to.equal(130)
    expect(await cluster.spec()).to.deep.equal({ taints: [planted, ADMINS_TAINT] })
    await cluster.unplant()
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })

  it('is as it was after the command line was killed: its Cucumber puts it right', async () => {
    const { child, printed } = cluster.start('@waits')
    await printed('waiting')
    child.kill('SIGKILL')
    await child
    await cluster.nobodyLeft()
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })

  it('is put right by "restore" after all of a run was killed', async () => {
    const { printed, killAll } = cluster.start('@waits')
    await printed('waiting')
    killAll()
    await cluster.nobodyLeft()
    expect(await cluster.restore()).to.include.members(['Node worker restored'])
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })

  it('is put right by the next run after all of a run was killed', async () => {
    const { printed, killAll } = cluster.start('@waits')
    await printed('waiting')
    killAll()
    await cluster.nobodyLeft()
    const { exitCode, all } = await cluster.start('@all', 'next').child
    expect(all).to.match(/from an earlier run: Node worker \(taints\): restored/)
    expect(exitCode, all).to.equal(0)
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })

  it('is put right by the command line where Cucumber, or a worker of it, ends in the middle', async () => {
    for (const workers of [1, 2]) {
      const { exitCode, all } = await cluster.start('@crashes', 'reports', workers).child
      expect(all).to.match(/of a scenario that was ended: Node worker \(taints\): restored/)
      expect(exitCode).to.equal(1)
      expect(await cluster.snapshot()).to.equal(cluster.asFound)
    }
  })
})
