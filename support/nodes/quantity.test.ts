import { test } from 'node:test'
import { expect } from 'chai'
import { quantity } from './quantity.ts'

test('quantities are read as the API writes them', () => {
  const written = ['2', '100m', '1Ki', '1.5Gi', '128974848', '129e6', '129M', '3E']
  const meant = [2, 0.1, 1024, 1.5 * 2 ** 30, 128974848, 129e6, 129e6, 3e18]
  expect(written.map(quantity)).to.deep.equal(meant)
})

for (const text of ['', 'Ki', '1Q', '1 Gi', 'x'])
  test(`"${text}" is no quantity`, () => {
    expect(() => quantity(text)).to.throw(`"${text}" is no quantity`)
  })
