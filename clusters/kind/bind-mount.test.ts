import { it } from 'node:test'
import { expect } from 'chai'
import { bindMount } from './bind-mount.ts'

it('a mount takes a path with anything in it', () => {
  const mount = bindMount('/a, "b"', '/inside')
  expect(mount).to.equal('type=bind,"source=/a, ""b""",target=/inside')
  expect(bindMount('/a', '/b', 'readonly')).to.equal('type=bind,"source=/a",target=/b,readonly')
})
