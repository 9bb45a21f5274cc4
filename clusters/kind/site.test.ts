import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../../src/contract/errors.ts'
import { siteOf } from './site.ts'

const of = (name: string, state: string) => siteOf(name, { XDG_STATE_HOME: state })

test('clusters of one name that belong to different folders never meet in an engine', () => {
  assert.equal(of('default', '/home/me').cluster, of('default', '/home/me').cluster)
  assert.notEqual(of('default', '/home/me').cluster, of('default', '/home/you').cluster)
  assert.match(of('default', '/home/me').cluster, /^poolwright-default-[0-9a-f]{6}$/)
})

test('a name that would make nodes without a host name is refused, with how long it may be', () => {
  const longest = 'a'.repeat(31)
  assert.equal(`${of(longest, '/home/me').cluster}-control-plane`.length, 63)
  assert.throws(
    () => of(`${longest}a`, '/home/me'),
    (error: Error) => {
      assert.ok(error instanceof UsageError)
      assert.match(error.message, /use up to 31 characters/)
      return true
    },
  )
})
