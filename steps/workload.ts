import { Given, Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import type { NodeRole } from '../support/parameter-types.ts'
import { isReady } from '../support/pods/pod.ts'
import type { Moment } from '../support/pods/pod-record.ts'
import { podsOf } from '../support/pods/pods.ts'
import { changesCluster } from '../support/safety/changing-steps.ts'
import { ordinalLives, overlaps } from '../support/workloads/overlaps.ts'
import { countReady, type ReadyCount } from '../support/workloads/ready-count.ts'
import { workloadsOf } from '../support/workloads/workloads.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Ready on the first node when this step ends; the other takes none of them meanwhile. They leave a silent node at once. */
Given(
  'Deployment {string} runs {int} pod(s) on {node}, and may move to {node}',
  changesCluster,
  function (this: PoolwrightWorld, name: string, count: number, from: NodeRole, to: NodeRole) {
    return workloadsOf(this).startMovable('Deployment', name, count, [from, to])
  },
)

/** The same, with an emptyDir. */
Given(
  'Deployment {string} runs {int} pod(s) with local data on {node}, and may move to {node}',
  changesCluster,
  function (this: PoolwrightWorld, name: string, count: number, from: NodeRole, to: NodeRole) {
    const spec = { volumes: [{ name: 'scratch', emptyDir: {} }] }
    return workloadsOf(this).startMovable('Deployment', name, count, [from, to], { spec })
  },
)

/** Of one pod, which answers connections. */
Given(
  'StatefulSet {string} runs on {node}, and may move to {node}',
  changesCluster,
  function (this: PoolwrightWorld, name: string, from: NodeRole, to: NodeRole) {
    return workloadsOf(this).startMovable('StatefulSet', name, 1, [from, to], {
      does: [`tcp:${PORT}`, 'stay:'],
    })
  },
)

/** On that node alone; ready when this step ends. */
Given('DaemonSet {string} runs on {node}', function (this: PoolwrightWorld, name: string, role: NodeRole) {
  return workloadsOf(this).startDaemonSet(name, role)
})

/** By a disruption budget of this name, in force when this step ends; from here on the ready ones are counted. */
Given(
  'disruption budget {string} keeps {int} pod(s) of Deployment {string} ready',
  async function (this: PoolwrightWorld, budget: string, count: number, name: string) {
    const workloads = workloadsOf(this)
    counts.set(this, countReady(this, name, workloads.labels(name)))
    await workloads.protect(budget, count, workloads.labels(name))
  },
)

/** Waits until exactly so many are ready, all of them there. */
Then(
  'Deployment {string} has {int} ready pod(s) on {node}',
  async function (this: PoolwrightWorld, name: string, count: number, role: NodeRole) {
    await workloadsOf(this).untilReady(name, count, role)
  },
)

/** At every moment since the budget was in force. */
Then('at no moment fewer than {int} of them was/were ready', function (this: PoolwrightWorld, count: number) {
  const counted = counts.get(this)
  if (!counted) throw new Error('no step has begun to count')
  expect(counted.least, 'the fewest that were ready').to.be.at.least(count)
})

/** Waits until it is; the cluster looks for what it may take for ended three times a minute. */
Then(
  'StatefulSet {string} is ready on {node}',
  async function (this: PoolwrightWorld, name: string, role: NodeRole) {
    await workloadsOf(this).untilReady(name, 1, role, 2 * this.limits.reaction)
  },
)

/** Waits until there is another pod than the first, and it is ready, on whatever node. */
Then(
  'StatefulSet {string} has a new pod that is ready',
  async function (this: PoolwrightWorld, name: string) {
    const { record } = podsOf(this)
    const first = record.pods.find(([moment]) => moment?.pod.metadata?.name === `${name}-0`)?.[0]?.pod
      .metadata?.uid
    // Of the record, which other steps look at: a watch of its own may be ahead of it.
    const isNew = ({ pod, gone }: Moment): boolean => !gone && isReady(pod) && pod.metadata?.uid !== first
    await record.until(`${name}-0`, 'to be a new one that is ready', (moments) => moments.some(isNew), {
      limitMs: this.limits.reaction,
      signal: this.signal,
    })
  },
)

/** Waits until it has been asked to end; it is the only one of its name that there ever was. */
Then(
  'the pod of StatefulSet {string} is to leave, and has not been replaced',
  async function (this: PoolwrightWorld, name: string) {
    const { record } = podsOf(this)
    const isLeaving = ({ pod }: Moment): boolean => pod.metadata?.deletionTimestamp !== undefined
    await record.until(`${name}-0`, 'to be asked to end', (moments) => moments.some(isLeaving), {
      limitMs: this.limits.reaction,
      signal: this.signal,
    })
    const now = await podsOf(this).get(`${name}-0`)
    const bearers = record.pods.filter(([moment]) => moment?.pod.metadata?.name === `${name}-0`)
    const uids = new Set([...bearers.map(([moment]) => moment?.pod.metadata?.uid), now.metadata?.uid])
    expect([...uids], `uids of pods named ${name}-0`).to.have.length(1)
  },
)

/** Dialled at its own address, from a node that no drill touches. */
Then('the pod of StatefulSet {string} still answers', async function (this: PoolwrightWorld, name: string) {
  const pods = podsOf(this)
  const { status } = await pods.get(`${name}-0`)
  const { stdout, exitCode } = await pods.see([`dial:${status?.podIP}:${PORT}`])
  expect({ stdout: stdout.trim(), exitCode }, `what pod ${name}-0 answers`).to.deep.equal({
    stdout: `${name}-0`,
    exitCode: 0,
  })
})

/** Of all that ever bore its name, by the times at which their containers started and ended. */
Then('no two pods of StatefulSet {string} ever ran at once', function (this: PoolwrightWorld, name: string) {
  const lives = ordinalLives(podsOf(this).record.pods, `${name}-0`)
  const told = lives.map(({ pod, node, startedAt, finishedAt }) =>
    [
      pod,
      node,
      new Date(startedAt).toISOString(),
      finishedAt ? new Date(finishedAt).toISOString() : 'runs',
    ].join('  '),
  )
  this.attach(told.join('\n'), { mediaType: 'text/plain', fileName: `lives of ${name}-0.txt` })
  expect(lives, `lives of pod ${name}-0`).to.have.length.at.least(2)
  expect(overlaps(lives), 'lives that overlap').to.deep.equal([])
})

/** What pods answer at. */
const PORT = 7000
const counts = new WeakMap<PoolwrightWorld, ReadyCount>()
