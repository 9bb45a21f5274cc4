import { Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import { windowsClusterOf } from '../support/windows-cluster.ts'
import { hasAddress } from '../support/windows-objects.ts'
import { othersOf } from '../support/windows-others.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** The list is what it was, and this line. */
Then(
  'windows-instances lists {address} as {string} beside the others',
  async function (this: PoolwrightWorld, address: string, line: string) {
    await othersOf(this).expectListedWith({ [address]: line })
  },
)

/** The list is this line alone. */
Then(
  'windows-instances lists {address} as {string} and nothing else',
  async function (this: PoolwrightWorld, address: string, line: string) {
    expect(await (await windowsClusterOf(this)).instances(), 'windows-instances').to.deep.equal({
      [address]: line,
    })
  },
)

/** The list has this line, whatever else it has. */
Then(
  'windows-instances lists {address} as {string}',
  async function (this: PoolwrightWorld, address: string, line: string) {
    expect(await (await windowsClusterOf(this)).instances(), 'windows-instances').to.include({
      [address]: line,
    })
  },
)

/** The list is what it was before the test. */
Then('windows-instances lists the others alone', async function (this: PoolwrightWorld) {
  await othersOf(this).expectListedWith({})
})

/** The list is what it was, and no Node has this address. */
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

/** Their Nodes were never deleted or made again. */
Then("other people's hosts have been Nodes all the time", async function (this: PoolwrightWorld) {
  await othersOf(this).expectUndisturbed()
})
