import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { untilEvent } from '../support/object-events.ts'
import { conditionOf } from '../support/pods/pod.ts'
import { podsOf } from '../support/pods/pods.ts'
import { changesCluster } from '../support/safety/changing-steps.ts'
import { claimsOf } from '../support/volumes/claims.ts'
import { readNodeLabels } from '../support/volumes/node-labels.ts'
import { forgetClaim, retainVolume, stopRetaining } from '../support/volumes/retained.ts'
import { admits } from '../support/volumes/segment.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** In the words of today's schedulers, and in those of some releases ago. */
const OTHER_NODE = /didn't match PersistentVolume's node affinity|had volume node affinity conflict/

/** By its reclaim policy, until the end of the scenario. */
Given(
  'the volume of {claim} is retained',
  changesCluster,
  async function (this: PoolwrightWorld, claim: string) {
    await retainVolume(this, claim)
  },
)

/** As an administrator does it: the volume forgets the claim that it had, and the other claim names the volume. */
When(
  'the volume of {claim} is given to {claim}',
  changesCluster,
  async function (this: PoolwrightWorld, former: string, claim: string) {
    const claims = claimsOf(this)
    const volume = claims.volumeOf(former)
    await forgetClaim(this, former)
    await claims.createFor(claim, volume)
    const { metadata } = await claims.untilBound(claim)
    expect(metadata?.uid, `volume of claim ${claim}`).to.equal(volume.uid)
  },
)

/** By its reclaim policy. */
When(
  'the volume of {claim} is no longer retained',
  changesCluster,
  async function (this: PoolwrightWorld, claim: string) {
    await stopRetaining(this, claim)
  },
)

/** Waits until it has no claim any more. A volume that goes with its claim is so for a moment, too: what follows proves more. */
Then('the volume of {claim} is released', async function (this: PoolwrightWorld, claim: string) {
  await claimsOf(this).untilVolume(claim, 'to be released', (volume) => {
    if (!volume) throw new Error(`the volume of claim ${claim} went with it`)
    return volume.status?.phase === 'Released'
  })
})

/** Waits until nothing of it is left. */
Then('the volume of {claim} is gone', async function (this: PoolwrightWorld, claim: string) {
  await claimsOf(this).untilVolume(claim, 'to be gone', (volume) => volume === undefined)
})

/** The volume names nodes, and that of the pod is one of them. Waits until the pod is ready. */
Then(
  '{pod} becomes ready where the volume of {claim} is bound to',
  async function (this: PoolwrightWorld, pod: string, claim: string) {
    const { spec: volume } = await claimsOf(this).untilBound(claim)
    expect(volume?.nodeAffinity?.required, `what binds the volume of claim ${claim}`).to.be.an('object')
    const { spec } = await podsOf(this).untilReady(pod)
    const labels = await readNodeLabels(this, spec?.nodeName ?? '')
    expect(admits(volume, labels), `whether the volume can be used on ${spec?.nodeName}`).to.equal(true)
  },
)

/** Waits until the scheduler's refusal says so; that a node is also cordoned or tainted for a while is no answer. */
Then(
  '{pod} stays unscheduled, because the volume of {claim} is bound to another node',
  async function (this: PoolwrightWorld, pod: string, claim: string) {
    const { spec } = await claimsOf(this).untilBound(claim)
    expect(spec?.nodeAffinity?.required, `what binds the volume of claim ${claim}`).to.be.an('object')
    await podsOf(this).until(pod, 'to be refused for its volume', (one) => {
      const scheduled = one && conditionOf(one, 'PodScheduled')
      return scheduled?.status === 'False' && OTHER_NODE.test(scheduled.message ?? '')
    })
  },
)

/** Waits until the cluster says so, then looks whether the pod runs. */
Then(
  '{pod} is refused the volume of {claim}, because another node has it',
  async function (this: PoolwrightWorld, pod: string, claim: string) {
    const { message } = await untilEvent(
      this,
      { kind: 'Pod', name: pod },
      'that its volume can’t be attached',
      ({ type, reason }) => type === 'Warning' && reason === 'FailedAttachVolume',
    )
    expect(message, 'what the event says').to.include('Multi-Attach')
    expect(message, 'what the event says').to.include(claimsOf(this).volumeOf(claim).name)
    const { status } = await podsOf(this).get(pod)
    expect(status?.phase, `phase of pod ${pod}`).to.equal('Pending')
  },
)
