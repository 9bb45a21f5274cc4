import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { deleteOwnNamespace, untilNamespaceGone } from '../support/emptied-namespace.ts'
import { contentOf } from '../support/namespace-content.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Fails where one of these kinds is missing: what is never there can't be seen to go. */
Given('the namespace has pods, claims, services and ConfigMaps', async function (this: PoolwrightWorld) {
  const kinds = new Set(
    (await contentOf(this.kube, this.namespace, this.signal)).map(({ resource }) => resource),
  )
  expect([...kinds], 'what is in the namespace').to.include.members([
    'pods',
    'persistentvolumeclaims',
    'services',
    'configmaps',
  ])
})

/** The scenario's own, with all that is in it; not waited for. */
When('the namespace is deleted', async function (this: PoolwrightWorld) {
  await deleteOwnNamespace(this)
})

/** Waits until it is gone, then looks for what was in it. */
Then('the namespace is gone, with all that was in it', async function (this: PoolwrightWorld) {
  await untilNamespaceGone(this)
  expect(
    await contentOf(this.kube, this.namespace, this.signal),
    'what is left in the namespace',
  ).to.deep.equal([])
})
