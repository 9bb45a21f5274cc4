import { Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { podsOf } from '../support/pods/pods.ts'
import type { PoolwrightWorld } from '../support/world.ts'

const COMPLAINT = 'that was all'

/** By exec, to its end. */
When(
  "a command in {pod} asks for the pod's name, complains, and ends with code {int}",
  async function (this: PoolwrightWorld, name: string, code: number) {
    await podsOf(this).act(name, ['env:POD_NAME', `warn:${COMPLAINT}`, `exit:${code}`])
  },
)

/** Of the last command. */
Then(
  "the command's output is {string}, its complaint came apart from it, and its exit code is {int}",
  function (this: PoolwrightWorld, output: string, code: number) {
    const { stdout, stderr, exitCode } = podsOf(this).lastCommand
    expect(stdout, 'what it printed').to.equal(`${output}\n`)
    expect(stderr, 'what it printed as its error').to.equal(`${COMPLAINT}\n`)
    expect(exitCode, 'its exit code').to.equal(code)
  },
)
