import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { StayingCluster } from './fixtures/changing/staying-cluster.ts'

let cluster: StayingCluster
before(async () => {
  cluster = await StayingCluster.start()
})
after(() => cluster.end())

describe('a cluster that several use', {
  skip: process.platform !== 'linux' && 'looks for processes in /proc',
}, () => {
  it('is changed by one of two runs at a time', async () => {
    const one = cluster.start('@waits', 'one')
    await one.printed('waiting')
    const two = cluster.start('@all', 'two')
    await two.printed('waiting for the nodes: run ')
    one.child.kill('SIGINT')
    const [ended, passed] = await Promise.all([one.child, two.child])
    expect(ended.exitCode, ended.all).to.equal(130)
    expect(passed.exitCode, passed.all).to.equal(0)
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })

  it('is used by two runs at a time, and changed by a third once both are out of the way', async () => {
    const [one, two] = [cluster.start('@uses', 'one'), cluster.start('@uses', 'two')]
    await Promise.all([one.printed('waiting'), two.printed('waiting')])
    const three = cluster.start('@all', 'three')
    await three.printed('uses them')
    one.killAll()
    two.child.kill('SIGINT')
    const [ended, passed] = await Promise.all([two.child, three.child])
    expect(ended.exitCode, ended.all).to.equal(130)
    expect(passed.exitCode, passed.all).to.equal(0)
    await cluster.nobodyLeft()
    await cluster.restore()
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })

  it('is rid of what a run left that only used it, once that is restored', async () => {
    const { printed, killAll } = cluster.start('@uses')
    await printed('waiting')
    killAll()
    await cluster.nobodyLeft()
    expect(await cluster.snapshot()).not.to.equal(cluster.asFound)
    await cluster.restore()
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })

  it('is rid of a dead run’s lease by the next run, although that had changed nothing yet', async () => {
    const { printed, killAll } = cluster.start('@lonely')
    await printed('waiting')
    killAll()
    await cluster.nobodyLeft()
    await cluster.restore(false)
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })

  it('is left as it is by a second Ctrl-C, which says how to put it back', async () => {
    const { child, printed } = cluster.start('@waits')
    await printed('waiting')
    // Both at once: the first has not cleaned up when the second comes.
    child.kill('SIGINT')
    child.kill('SIGTERM')
    const { exitCode, all } = await child
    expect(all).to.match(/npm run poolwright -- restore --cluster shared/)
    expect(exitCode).to.equal(130)
    await cluster.nobodyLeft()
    await cluster.restore()
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })

  it('that has something of a run in the end makes it fail, which names it in terminal and report', async () => {
    const { exitCode, all } = await cluster.start('@leaks').child
    expect(exitCode).to.equal(1)
    expect(all).to.match(/The run left behind:\s+Namespace left-behind/)
    expect(readFileSync(join(cluster.folder, 'reports', 'acceptance.html'), 'utf8')).to.include(
      'Namespace left-behind',
    )
    await cluster.kube.delete('/api/v1/namespaces/left-behind')
  })

  it('is not changed by a scenario that does not say so', async () => {
    const { exitCode, all } = await cluster.start('@untagged').child
    expect(exitCode).to.equal(1)
    expect(all).to.include('changes the cluster: tag its scenario @changes-cluster')
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })

  it('that can’t be put back stops the run, which says what to do by hand and skips no other object', async () => {
    const { exitCode, all } = await cluster.start('@stuck').child
    expect(exitCode).to.equal(1)
    expect(all).to.match(/By hand:\s+kubectl delete node pw-[0-9a-f-]+-made/)
    expect(all).to.match(/○ one that comes after it .*The run was stopped: what "one whose changes/)
    expect(all).to.match(/The run left behind:\s+Node pw-[0-9a-f-]+-made\s+entry of the journal/)
    const { metadata } = await cluster.kube.get('/api/v1/nodes/worker')
    expect(metadata?.labels).to.include({ rack: '7' }).and.not.to.have.property('zone')
    const made = /Node (pw-[0-9a-f-]+-made)/.exec(all)?.[1]
    await cluster.kube.patch(`/api/v1/nodes/${made}`, { metadata: { finalizers: null } }, 'merge')
    await cluster.restore()
    expect(await cluster.snapshot()).to.equal(cluster.asFound)
  })
})
