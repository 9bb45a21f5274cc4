import { type DataTable, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { fieldsOf, LEARNT_LINES, learningPod, learnt, OWN_ADDRESS } from '../support/pods/field-refs.ts'
import { podsOf } from '../support/pods/pods.ts'
import { claimsOf, visitor } from '../support/pods/projected-token.ts'
import { whatHappened } from '../support/pods/what-happened.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** It says what it finds there. */
When(
  '{pod} is created with what fieldRef tells in its environment',
  async function (this: PoolwrightWorld, name: string) {
    await podsOf(this).create(name, learningPod())
    await podsOf(this).untilRunning(name)
  },
)

/** It says what the token claims, and never the token. */
When(
  '{pod} is created with a projected token for audience {string}',
  async function (this: PoolwrightWorld, name: string, audience: string) {
    await podsOf(this).create(name, visitor(audience))
    await podsOf(this).untilRunning(name)
  },
)

/** What the container found in its environment is what the API tells of the pod. */
Then(
  'the container of {pod} knows, as the API does, its:',
  async function (this: PoolwrightWorld, name: string, table: DataTable) {
    const words = table.raw().flat()
    const lines = await whatHappened(this, name, LEARNT_LINES)
    const told = fieldsOf(await podsOf(this).get(name), words)
    const knows = learnt(lines, words)
    for (const word of words) {
      expect(told[word], `${word}, as the API tells it`).to.match(/./)
      expect(knows[word], `${word}, as the container of pod ${name} knows it`).to.equal(told[word])
    }
  },
)

/** It could open a port at the address that it learnt. */
Then('the container of {pod} knows its own address', async function (this: PoolwrightWorld, name: string) {
  const lines = await whatHappened(this, name, LEARNT_LINES)
  expect(
    lines.map(({ text }) => text),
    'what it said',
  ).to.include(OWN_ADDRESS)
})

/** No other audience is named. */
Then(
  'the token in {pod} is for audience {string} alone',
  async function (this: PoolwrightWorld, name: string, audience: string) {
    const { aud } = claimsOf(await whatHappened(this, name, 1))
    expect(aud, `whom the token is for: ${aud}`).to.deep.equal([audience])
  },
)

/** It ends with the pod: its name and uid are in it. */
Then(
  "the token in {pod} is its service account's, and bound to that pod",
  async function (this: PoolwrightWorld, name: string) {
    const claims = claimsOf(await whatHappened(this, name, 1))
    const { metadata, spec } = await podsOf(this).get(name)
    const account = `system:serviceaccount:${metadata?.namespace}:${spec?.serviceAccountName}`
    expect(claims.sub, 'whose token it is').to.equal(account)
    expect(claims['kubernetes.io']?.pod, 'the pod that it is bound to').to.deep.equal({
      name,
      uid: metadata?.uid,
    })
  },
)
