import { readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { expect } from 'chai'
import { GAPS_PAGE, gapsPage } from './gaps.ts'

it('docs/gaps.md says what the embedded cluster lacks today: npm run gaps renews it', async ({ signal }) => {
  expect(await readFile(GAPS_PAGE, 'utf8')).to.equal(await gapsPage(signal))
})

it('names each recording that is not promised, and none that is', async () => {
  const page = await readFile(GAPS_PAGE, 'utf8')
  expect(page).to.include('| crd: crd-cel | CEL |')
  expect(page).to.include('| finalizers-and-gc: gc-orphan | garbage collection |')
  expect(page).not.to.include('crud-create-get')
  expect(page).not.to.include('gc-bad-policy')
})

it('names what nobody is told: managed fields and garbage collection', async () => {
  const page = await readFile(GAPS_PAGE, 'utf8')
  expect(page).to.match(/managedFields.*200, \$\.metadata\.managedFields is absent/)
  expect(page).to.match(/Garbage collection.*200, \$\.metadata\.deletionTimestamp is absent/)
})
