import { Given } from '@cucumber/cucumber'
import { type Action, type Occurrences, type Rule, WRITES } from '../support/interference/rule.ts'
import { entryText, instant } from '../support/pool-table.ts'
import type { PoolwrightWorld } from '../support/world.ts'

const FIRST: Occurrences = { nth: 1 }

Given(
  'the node {address} passes to test {test} just before the first write',
  function (this: PoolwrightWorld, address: string, testId: string) {
    onWrite(this, FIRST, `another writer hands ${address} to ${testId}`, {
      kind: 'before',
      run: () =>
        this.poolConfigMap.change((data) => {
          data[address] = entryText({ address, status: 'in-use', 'test-id': testId, age: '1 second' })
        }),
    })
  },
)

Given(
  'test {test} renews its lease of {address} just before the first write',
  function (this: PoolwrightWorld, testId: string, address: string) {
    onWrite(this, FIRST, `${testId} renews ${address}`, {
      kind: 'before',
      run: () =>
        this.poolConfigMap.change((data) => {
          const renewed = `last-updated: ${instant(new Date(), 0)}`
          data[address] = (data[address] ?? '').replace(/last-updated: .*/, renewed)
        }),
    })
  },
)

/** Interferes with the implementation's writes to the pool, and with nobody else's. */
function onWrite(world: PoolwrightWorld, occurrences: Occurrences, name: string, action: Action): void {
  const rule: Rule = {
    name,
    verbs: WRITES,
    resource: 'configmaps',
    object: world.site.configMap,
    occurrences,
    action,
  }
  world.proxy.interfere(rule)
}
