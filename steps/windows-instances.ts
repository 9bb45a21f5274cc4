import { Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import { hasAddress, windowsClusterOf } from '../support/windows-cluster.ts'
import { othersOf } from '../support/windows-others.ts'
import type { PoolwrightWorld } from '../support/world.ts'

Then(
  'windows-instances lists {address} as {string} beside the others',
  async function (this: PoolwrightWorld, address: string, line: string) {
    await othersOf(this).expectListedWith({ [address]: line })
  },
)

Then(
  'windows-instances lists {address} as {string} and nothing else',
  async function (this: PoolwrightWorld, address: string, line: string) {
    expect(await (await windowsClusterOf(this)).instances(), 'windows-instances').to.deep.equal({
      [address]: line,
    })
  },
)

Then(
  'windows-instances lists {address} as {string}',
  async function (this: PoolwrightWorld, address: string, line: string) {
    expect(await (await windowsClusterOf(this)).instances(), 'windows-instances').to.include({
      [address]: line,
    })
  },
)

Then('windows-instances lists the others alone', async function (this: PoolwrightWorld) {
  await othersOf(this).expectListedWith({})
})

Then(
  'nothing is left of {address} beside the others',
  async function (this: PoolwrightWorld, address: string) {
    await othersOf(this).expectListedWith({})
    const left = (await (await windowsClusterOf(this)).nodes()).filter((node) => hasAddress(node, address))
    expect(
      left.map(({ metadata }) => metadata?.name),
      `Nodes with the address ${address}`,
    ).to.deep.equal([])
  },
)

Then("other people's hosts have been Nodes all the time", async function (this: PoolwrightWorld) {
  await othersOf(this).expectUndisturbed()
})
