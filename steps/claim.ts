import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { untilEvent } from '../support/object-events.ts'
import type { NodeRole, StorageRole } from '../support/parameter-types.ts'
import { podsOf } from '../support/pods/pods.ts'
import { claimsOf } from '../support/volumes/claims.ts'
import { createUser, readMarker, writeMarker } from '../support/volumes/users.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Keeps a claim that a pod uses. */
const IN_USE = 'kubernetes.io/pvc-protection'

/** Made, and not waited for: it may need a pod before it gets a volume. */
Given('{claim} of {storage}', async function (this: PoolwrightWorld, name: string, role: StorageRole) {
  await claimsOf(this).create(name, role)
})

/** The claim is made first. The pod is ready, and what it wrote is on the volume, when this step ends. */
Given(
  '{pod} on {node} has written a marker to {claim} of {storage}',
  async function (this: PoolwrightWorld, pod: string, node: NodeRole, claim: string, role: StorageRole) {
    await claimsOf(this).create(claim, role)
    await createUser(this, pod, { claim, node })
    // One after the other, each within a limit of its own: a volume is made, then a pod is started with it.
    await claimsOf(this).untilBound(claim)
    await podsOf(this).untilReady(pod)
    await writeMarker(this, pod, markerOf(this, claim))
  },
)

/** Made, and not waited for. */
When('{pod} is to use {claim}', async function (this: PoolwrightWorld, pod: string, claim: string) {
  await createUser(this, pod, { claim })
})

/** Made for that node alone, and not waited for. */
When(
  '{pod} is to use {claim} on {node}',
  async function (this: PoolwrightWorld, pod: string, claim: string, node: NodeRole) {
    await createUser(this, pod, { claim, node })
  },
)

/** Made, and not waited for; of the nodes that it may run on it is to have that one. */
When(
  '{pod} is to use {claim}, preferably on {node}',
  async function (this: PoolwrightWorld, pod: string, claim: string, rather: NodeRole) {
    await createUser(this, pod, { claim, rather })
  },
)

/** Asks for its deletion, and doesn't wait. */
When('{claim} is deleted', async function (this: PoolwrightWorld, name: string) {
  await claimsOf(this).delete(name)
})

/** Waits until the cluster says so, then looks whether the claim has a volume. */
Then('{claim} waits for its first consumer', async function (this: PoolwrightWorld, name: string) {
  await untilEvent(
    this,
    { kind: 'PersistentVolumeClaim', name },
    'that it waits for its first consumer',
    ({ reason }) => reason === 'WaitForFirstConsumer',
  )
  const { spec, status } = await claimsOf(this).get(name)
  expect(status?.phase, `phase of claim ${name}`).to.equal('Pending')
  expect(spec?.volumeName, `volume of claim ${name}`).to.equal(undefined)
})

/** Waits until it has a volume. */
Then('{claim} is bound', async function (this: PoolwrightWorld, name: string) {
  await claimsOf(this).untilBound(name)
})

/** Waits for the pod, then reads from its volume all that was ever written to that of the claim. */
Then(
  '{pod} becomes ready and reads the marker of {claim}',
  async function (this: PoolwrightWorld, pod: string, claim: string) {
    await podsOf(this).untilReady(pod)
    const lines = await readMarker(this, pod)
    expect(lines, `what pod ${pod} reads`).to.deep.equal([markerOf(this, claim)])
  },
)

/**
 * Its deletion was asked for, and it is there and bound all the same, with the mark that keeps it. A cluster may only be
 * slow: this proves something once a claim that nobody uses was deleted after it and is gone.
 */
Then('{claim} is protected', async function (this: PoolwrightWorld, name: string) {
  const { metadata, status } = await claimsOf(this).get(name)
  expect(metadata?.deletionTimestamp, `since when claim ${name} is to go`).to.be.a('string')
  expect(metadata?.finalizers, `what keeps claim ${name}`).to.include(IN_USE)
  expect(status?.phase, `phase of claim ${name}`).to.equal('Bound')
})

/** Writes another line, and reads both. */
Then(
  '{pod} still reads and writes the volume of {claim}',
  async function (this: PoolwrightWorld, pod: string, claim: string) {
    await writeMarker(this, pod, 'more')
    expect(await readMarker(this, pod), `what pod ${pod} reads`).to.deep.equal([
      markerOf(this, claim),
      'more',
    ])
  },
)

/** Waits until nothing of it is left. */
Then('{claim} is gone', async function (this: PoolwrightWorld, name: string) {
  await claimsOf(this).until(name, 'to be gone', (claim) => claim === undefined)
})

/** No other scenario writes the same. */
function markerOf({ scenario }: PoolwrightWorld, claim: string): string {
  return `${scenario} ${claim}`
}
