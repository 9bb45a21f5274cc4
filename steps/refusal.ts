import { Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import type { ErrorCode, OutcomeError } from '../support/plain-data.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** The last operation ended without an error. */
Then('it succeeds', function (this: PoolwrightWorld) {
  const { outcome } = this.outcomes.last()
  this.outcomes.markAsserted(outcome)
  expect(outcome.error, 'the error').to.equal(undefined)
})

/** The last operation ended with this error, which allows a fallback or forbids it and says what to do. */
Then(
  /^it is refused with (\w+), fallback (allowed|forbidden)$/,
  function (this: PoolwrightWorld, code: ErrorCode, fallback: string) {
    const error = refusal(this)
    expect(error.code, error.message).to.equal(code)
    expect(error.fallbackAllowed, `whether ${code} allows a fallback`).to.equal(fallback === 'allowed')
    expect(error.remedy, `the remedy of ${code}`).to.be.a('string').that.is.not.empty
  },
)

/** The message of that error contains the text. */
Then('the message names {string}', function (this: PoolwrightWorld, name: string) {
  expect(refusal(this).message, 'the message').to.include(name)
})

/** The message of that error contains both texts. */
Then('the message names {string} and {string}', function (this: PoolwrightWorld, one: string, other: string) {
  expect(refusal(this).message, 'the message').to.include(one).and.to.include(other)
})

/** The message of that error contains the text and the pool's namespace. */
Then('the message names {string} and the namespace', function (this: PoolwrightWorld, name: string) {
  expect(refusal(this).message, 'the message').to.include(name).and.to.include(this.site.namespace)
})

/** The message of that error contains the pool's namespace. */
Then('the message names the namespace', function (this: PoolwrightWorld) {
  expect(refusal(this).message, 'the message').to.include(this.site.namespace)
})

/** The error of the last operation, judged from now on. */
function refusal(world: PoolwrightWorld): OutcomeError {
  const { operation, outcome } = world.outcomes.last()
  world.outcomes.markAsserted(outcome)
  if (!outcome.error) expect.fail(`${operation} succeeded where it should have been refused`)
  return outcome.error
}
