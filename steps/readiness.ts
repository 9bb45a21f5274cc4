import { type DataTable, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { textTable } from '../support/evidence/text-table.ts'
import type { OutcomeOf } from '../support/outcomes.ts'
import { windowsClusterOf } from '../support/windows-cluster.ts'
import { hasAddress } from '../support/windows-objects.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Asks for readiness and attaches what was answered as a table. */
When('readiness is asked for', async function (this: PoolwrightWorld) {
  const { rows } = await this.perform('readiness', undefined)
  const cells = rows.map(({ subject, ready, since, detail }) => [
    subject,
    ready ? 'ready' : 'NOT READY',
    since ?? '',
    detail,
  ])
  const table = textTable(['subject', 'state', 'since', 'detail'], cells)
  this.attach(table, { mediaType: 'text/plain', fileName: 'readiness.txt' })
})

/** The answer has exactly these rows, each is ready and says this, since the time that the cluster has. */
Then('everything is ready:', async function (this: PoolwrightWorld, table: DataTable) {
  const { ready, rows } = this.outcomes.lastSucceeded('readiness')
  const expected = await Promise.all(
    table.hashes().map((row) => expectedRow(this, row as unknown as TableRow)),
  )
  expect(
    rows.map(({ subject }) => subject),
    'what it speaks of',
  ).to.deep.equal(expected.map(({ subject }) => subject))
  for (const { subject, detail, since } of expected) {
    const row = rowOf(rows, subject)
    expect(row, subject).to.include({ ready: true })
    expect(row.detail, `detail of ${subject}`).to.include(detail)
    if (since !== undefined) expect(row.since, `since when ${subject} is ready`).to.equal(since)
  }
  expect(ready, 'the verdict').to.equal(true)
})

/** The verdict is not ready because of this row alone, whose detail contains the text. */
Then(
  'only {string} is not ready, which says {string}',
  function (this: PoolwrightWorld, subject: string, detail: string) {
    expectOnlyNotReady(this, subject)
    expect(
      rowOf(this.outcomes.lastSucceeded('readiness').rows, subject).detail,
      `detail of ${subject}`,
    ).to.include(detail)
  },
)

/** The verdict is not ready because of this Node alone, with the time that its Ready condition has. */
Then(
  'only the Node of {address} is not ready, since its Ready condition changed',
  async function (this: PoolwrightWorld, address: string) {
    const { name, since } = await nodeAt(this, address)
    expectOnlyNotReady(this, `Node ${name}`)
    const row = rowOf(this.outcomes.lastSucceeded('readiness').rows, `Node ${name}`)
    expect(row.since, 'since when').to.equal(since)
    expect(row.detail, 'the detail').to.include(address).and.to.include('KubeletNotReady')
  },
)

type Readiness = OutcomeOf<'readiness'>

interface TableRow {
  readonly subject: string
  readonly detail: string
  readonly since: string
}

/** The table's words for what only the cluster knows: a Node's name, and times. */
async function expectedRow(
  world: PoolwrightWorld,
  { subject, detail, since }: TableRow,
): Promise<{ subject: string; detail: string; since?: string | undefined }> {
  const address = /^Node of (\S+)$/.exec(subject)?.[1]
  if (address) {
    const node = await nodeAt(world, address)
    return { subject: `Node ${node.name}`, detail, since: node.since }
  }
  return {
    subject,
    detail,
    ...(since && { since: await (await windowsClusterOf(world)).operatorAvailableSince() }),
  }
}

function expectOnlyNotReady(world: PoolwrightWorld, subject: string): void {
  const { ready, rows } = world.outcomes.lastSucceeded('readiness')
  const named = rows.filter((row) => !row.ready).map((row) => row.subject)
  expect(named, 'what is not ready').to.deep.equal([subject])
  expect(ready, 'the verdict').to.equal(false)
}

function rowOf(rows: Readiness['rows'], subject: string): Readiness['rows'][number] {
  const row = rows.find((one) => one.subject === subject)
  if (!row) expect.fail(`readiness has no row "${subject}"`)
  return row
}

async function nodeAt(
  world: PoolwrightWorld,
  address: string,
): Promise<{ name: string; since: string | undefined }> {
  const node = (await (await windowsClusterOf(world)).nodes()).find((one) => hasAddress(one, address))
  const condition = node?.status?.conditions?.find(({ type }) => type === 'Ready')
  return { name: node?.metadata?.name ?? '', since: condition?.lastTransitionTime }
}
