import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { lockReports } from './reports-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'poolwright-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const refusal = () =>
  lockReports(folder).then(
    () => undefined,
    (error: Error) => error.message,
  )

describe('a folder of reports', () => {
  it('is one run’s until that run is over', async () => {
    {
      await using _first = await lockReports(folder)
      expect(await refusal()).to.match(
        new RegExp(`^process ${process.pid} writes its reports to .*--reports$`),
      )
    }
    expect(existsSync(join(folder, 'run.lock'))).to.equal(false)
    expect(await refusal()).to.equal(undefined)
  })

  for (const [what, left] of [
    ['whose process is no more', JSON.stringify({ pid: process.pid, started: 'earlier' })],
    ['that is none of ours', '{"pid'],
  ] as const) {
    it(`is free where a lock was left ${what}`, async () => {
      writeFileSync(join(folder, 'run.lock'), left)
      expect(await refusal()).to.equal(undefined)
    })
  }
})
