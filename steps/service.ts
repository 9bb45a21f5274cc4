import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { untilEvent } from '../support/object-events.ts'
import type { AddressPoolRole } from '../support/parameter-types.ts'
import { isWithin, readAddressPool, sizeOf } from '../support/services/address-pool.ts'
import { givenAddress, SERVER_LABEL } from '../support/services/service.ts'
import { servicesOf } from '../support/services/services.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Each node is to answer for it. */
Given('{service} has a node port', async function (this: PoolwrightWorld, name: string) {
  await servicesOf(this).shape(name, { spec: { type: 'NodePort' } })
})

/** Its selector names that server, and nobody else, from now on. */
When('{service} turns to {server}', async function (this: PoolwrightWorld, name: string, server: string) {
  await servicesOf(this).change(name, { spec: { selector: { service: null, [SERVER_LABEL]: server } } })
})

/** externalTrafficPolicy Local. */
When(
  '{service} answers from outside only where its servers are',
  async function (this: PoolwrightWorld, name: string) {
    await servicesOf(this).change(name, { spec: { externalTrafficPolicy: 'Local' } })
  },
)

/** Asks for it, and doesn't wait. The service is made where there is none of this name. */
When(
  '{service} asks for an address of {address-pool}',
  async function (this: PoolwrightWorld, name: string, role: AddressPoolRole) {
    await servicesOf(this).askForAddress(name, role)
  },
)

/** Nothing of it is waited for. */
When('{service} is deleted', async function (this: PoolwrightWorld, name: string) {
  await servicesOf(this).delete(name)
})

/** Waits until each has been given one; fails where the pool has more than these two. */
Given(
  '{service} and {service} have all addresses of {address-pool}',
  async function (this: PoolwrightWorld, one: string, other: string, role: AddressPoolRole) {
    const ranges = await readAddressPool(this, role)
    expect(sizeOf(ranges), `addresses of the ${role} pool`).to.equal(2)
    const services = servicesOf(this)
    for (const name of [one, other]) {
      await services.askForAddress(name, role)
      const address = await services.untilAddress(name)
      expect(isWithin(address, ranges), `whether ${address} is of ${ranges.join(', ')}`).to.equal(true)
    }
  },
)

/** Asks for an address, and waits until the cluster says that there is none. */
Given(
  '{service} waits for an address of {address-pool}',
  async function (this: PoolwrightWorld, name: string, role: AddressPoolRole) {
    await servicesOf(this).askForAddress(name, role)
    await untilRefused(this, name)
  },
)

/** Waits until it is given one, and looks it up in the pool. */
Then(
  '{service} has an address of {address-pool}',
  async function (this: PoolwrightWorld, name: string, role: AddressPoolRole) {
    const address = await servicesOf(this).untilAddress(name)
    const ranges = await readAddressPool(this, role)
    expect(isWithin(address, ranges), `whether ${address} is of ${ranges.join(', ')}`).to.equal(true)
  },
)

/** Waits for the warning, then looks at the service. */
Then(
  '{service} has no address, and an event says that none could be given',
  async function (this: PoolwrightWorld, name: string) {
    await untilRefused(this, name)
    const service = await servicesOf(this).get(name)
    expect(givenAddress(service), `address of service ${name}`).to.equal(undefined)
  },
)

/** Waits until it is given one, and compares. */
Then(
  '{service} has the address that {service} had',
  async function (this: PoolwrightWorld, name: string, former: string) {
    const services = servicesOf(this)
    const address = await services.untilAddress(name)
    expect(address, `address of service ${name}`).to.equal(services.given.get(former))
  },
)

/** Why there is none, MetalLB 0.15.2 tells in words that make no sense (`["<nil>"] is not allowed in config`): its reason counts. */
async function untilRefused(world: PoolwrightWorld, name: string): Promise<void> {
  const { type } = await untilEvent(
    world,
    { kind: 'Service', name },
    'that no address could be given',
    ({ reason }) => reason === 'AllocationFailed',
  )
  expect(type, 'type of the event').to.equal('Warning')
}
