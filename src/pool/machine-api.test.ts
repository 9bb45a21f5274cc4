import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiFailure } from '../api/api-failure.ts'
import { apiInMemory } from './api-in-memory.ts'
import { openJournal } from './journal.ts'
import { listMachineApi, MACHINE_SETS } from './machine-api.ts'

function listing(failure: ApiFailure) {
  const api = apiInMemory()
  api.before = () => {
    throw failure
  }
  const signal = AbortSignal.timeout(10_000)
  const context = { api, journal: openJournal(), namespace: 'n', configMap: 'pool', signal }
  return listMachineApi(context, MACHINE_SETS, { retry: { attempts: 2, baseDelayMs: 0 } })
}

describe('the Machine API', () => {
  it('has nothing where it is not served', async () => {
    expect(await listing(new ApiFailure('missing', 'not found', { code: 404 }))).to.deep.equal([])
  })

  for (const [kind, code] of [
    ['forbidden', 'Forbidden'],
    ['transient', 'AttemptsExhausted'],
  ] as const)
    it(`is what a ${code} names, not the pool`, async () => {
      const error = await listing(new ApiFailure(kind, 'GET machinesets: no')).catch(
        (caught: unknown) => caught,
      )
      expect(error).to.have.property('code', code)
      expect(error).to.have.property('message').that.includes('the Machine API').and.not.includes('n/pool')
    })
})
