import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { ProcessTable } from '../../src/process/process-table.ts'
import { isCertainlyDead, isSameHolder, parseHolder, thisHolder } from './holder.ts'
import { livingHolder } from './leases-for-tests.ts'

const holder = {
  run: 'r',
  worker: '0',
  process: { host: 'h', boot: 'b', pidNamespace: 'n', pid: 7, startTime: '99' },
}
const machine: ProcessTable = { boot: 'b', pidNamespace: 'n', startTime: () => '99', isAbsent: () => false }

describe('the process of a holder', () => {
  it('that lives is not dead', () => {
    expect(isCertainlyDead(holder, machine)).to.equal(false)
    expect(isCertainlyDead(thisHolder('r', '0'))).to.equal(false)
  })

  it('is dead where there is none of its number, or one that started later', () => {
    expect(isCertainlyDead(holder, { ...machine, isAbsent: () => true })).to.equal(true)
    expect(isCertainlyDead(holder, { ...machine, startTime: () => '100' })).to.equal(true)
  })

  it('may live where it can’t be seen: on another machine, in another container, hidden', () => {
    const gone = { ...machine, isAbsent: () => true }
    expect(isCertainlyDead(holder, { ...gone, boot: 'another' })).to.equal(false)
    expect(isCertainlyDead(holder, { ...gone, pidNamespace: 'another' })).to.equal(false)
    expect(isCertainlyDead(holder, { ...machine, startTime: () => undefined })).to.equal(false)
    const unknown = { ...holder, process: { ...holder.process, boot: '', pidNamespace: '' } }
    expect(isCertainlyDead(unknown, { ...gone, boot: '', pidNamespace: '' })).to.equal(false)
  })

  it('that really ended is seen to have', {
    skip: process.platform !== 'linux' && 'looks for processes in /proc',
  }, async () => {
    const { holder: living, kill } = await livingHolder('r')
    expect(isCertainlyDead(living)).to.equal(false)
    await kill()
    expect(isCertainlyDead(living)).to.equal(true)
  })
})

describe('a holder in the cluster', () => {
  it('is read as it was written', () => {
    expect(parseHolder(JSON.parse(JSON.stringify(holder)))).to.deep.equal(holder)
    expect(isSameHolder(holder, parseHolder({ ...holder, note: 'x' }))).to.equal(true)
    expect(isSameHolder(holder, { ...holder, worker: '1' })).to.equal(false)
    expect(isSameHolder(holder, undefined)).to.equal(false)
  })

  it('that is none is not believed', () => {
    for (const value of [
      null,
      'r/0',
      {},
      { ...holder, run: 1 },
      { ...holder, process: { ...holder.process, pid: -1 } },
      { ...holder, worker: 'x'.repeat(1_000) },
    ])
      expect(parseHolder(value), JSON.stringify(value)).to.equal(undefined)
  })
})
