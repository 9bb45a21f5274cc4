import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiFailure } from '../api/api-failure.ts'
import type { ConfigMap } from '../contract/kubernetes.ts'
import { INSTANCES_CONFIG_MAP } from '../contract/names.ts'
import type { PoolEntry } from '../contract/pool.ts'
import { type ApiInMemory, apiInMemory } from './api-in-memory.ts'
import { openJournal } from './journal.ts'
import { addInstances, removeInstances } from './windows-instances.ts'

const HOST: PoolEntry = {
  address: '192.0.2.1',
  status: 'in-use',
  username: 'admin',
  addressType: 'ip',
  platform: 'vsphere',
}
const OTHERS = { '192.0.2.9': 'username=core', 'not a host': 'left by\r\na colleague\t' }
const LINE = { [HOST.address]: 'username=admin' }
const options = { retry: { attempts: 3, baseDelayMs: 0 } }
const CORE = { [HOST.address]: 'username=core' }

function contextOf(api: ApiInMemory) {
  const journal = openJournal()
  return { api, journal, namespace: 'n', configMap: 'pool', signal: AbortSignal.timeout(10_000) }
}

const listed = (api: ApiInMemory) =>
  (api.objects.get(`configmaps/${INSTANCES_CONFIG_MAP}`) as ConfigMap | undefined)?.data

function once(api: ApiInMemory, verb: 'get' | 'patch', act: () => void): void {
  api.before = (asked) => {
    if (asked !== verb) return
    api.before = () => undefined
    act()
  }
}

/** Until they arrive, writes are lost on their way: whoever sent them gets no answer. */
function loseWrites(api: ApiInMemory) {
  const { mergePatch, create } = api
  const lost: { mergePatch?: () => Promise<unknown>; create?: () => Promise<unknown> } = {}
  const losing =
    <Args extends unknown[], T>(verb: keyof typeof lost, send: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      lost[verb] = () => send(...args)
      throw new ApiFailure('transient', 'no answer')
    }
  api.mergePatch = losing('mergePatch', mergePatch) as typeof mergePatch
  api.create = losing('create', create) as typeof create
  return {
    /** From now on writes arrive at once; the lost ones, whenever the test sends them. */
    arriving() {
      Object.assign(api, { mergePatch, create })
      return lost
    },
  }
}

describe('windows-instances', () => {
  it('gets the host’s own line, and keeps every other byte', async () => {
    const api = apiInMemory({ [INSTANCES_CONFIG_MAP]: OTHERS })
    await addInstances(contextOf(api), 't', [HOST], options)
    expect(listed(api)).to.deep.equal({ ...OTHERS, ...LINE })
    expect(JSON.stringify(api.patches)).not.to.include('colleague')
  })

  it('loses the host’s own line, and keeps every other byte and every mark', async () => {
    const api = apiInMemory({ [INSTANCES_CONFIG_MAP]: OTHERS })
    const other = { ...HOST, address: '192.0.2.2' }
    await addInstances(contextOf(api), 'other', [other], options)
    const before = structuredClone(api.objects.get(`configmaps/${INSTANCES_CONFIG_MAP}`)) as ConfigMap
    await addInstances(contextOf(api), 't', [HOST], options)
    const { removed, foreign } = await removeInstances(contextOf(api), 't', [HOST], 'of hosts', options)
    expect(removed).to.deep.equal([HOST.address])
    expect([...foreign]).to.deep.equal([])
    const after = api.objects.get(`configmaps/${INSTANCES_CONFIG_MAP}`) as ConfigMap
    expect(after.data).to.deep.equal({ ...OTHERS, '192.0.2.2': 'username=admin' })
    expect(after.metadata?.annotations).to.deep.equal(before.metadata?.annotations)
  })

  it('is written again on what another writer left in between', async () => {
    const api = apiInMemory({ [INSTANCES_CONFIG_MAP]: OTHERS })
    const late = { '192.0.2.8': 'username=late' }
    once(api, 'patch', () => api.change(INSTANCES_CONFIG_MAP, ({ data }) => Object.assign(data ?? {}, late)))
    await addInstances(contextOf(api), 't', [HOST], options)
    expect(listed(api)).to.deep.equal({ ...OTHERS, ...late, ...LINE })
    expect(api.patches).to.have.length(2)
  })

  it('is made where there is none, and not over one that appears meanwhile', async () => {
    const api = apiInMemory()
    const create = api.create
    api.create = async () => {
      api.create = create
      await create(
        { group: '', version: 'v1', plural: 'configmaps' },
        { metadata: { name: INSTANCES_CONFIG_MAP }, data: OTHERS } as ConfigMap,
        {
          signal: AbortSignal.timeout(1_000),
        },
      )
      throw new ApiFailure('exists', 'there already', { code: 409 })
    }
    await addInstances(contextOf(api), 't', [HOST], options)
    expect(listed(api)).to.deep.equal({ ...OTHERS, ...LINE })
  })

  it('takes its own write for its own although the answer was lost', async () => {
    const api = apiInMemory({ [INSTANCES_CONFIG_MAP]: OTHERS })
    api.afterPatch = () => {
      api.afterPatch = () => undefined
      throw new ApiFailure('transient', 'no answer')
    }
    await addInstances(contextOf(api), 't', [HOST], options)
    expect(listed(api)).to.deep.equal({ ...OTHERS, ...LINE })
    expect(api.patches).to.have.length(1)
  })

  for (const [what, line] of [
    ['under another user', CORE],
    ['under the very same user', LINE],
  ] as const) {
    it(`is not taken over from somebody who lists the same host ${what}`, async () => {
      const api = apiInMemory({ [INSTANCES_CONFIG_MAP]: { ...OTHERS, ...line } })
      const error = await addInstances(contextOf(api), 't', [HOST], options).catch(
        (caught: unknown) => caught,
      )
      expect(error).to.have.property('code', 'EntryExists')
      expect(api.patches).to.have.length(0)
    })

    it(`is not taken over from somebody who lists the same host ${what} between read and write`, async () => {
      const api = apiInMemory({ [INSTANCES_CONFIG_MAP]: OTHERS })
      once(api, 'patch', () =>
        api.change(INSTANCES_CONFIG_MAP, ({ data }) => Object.assign(data ?? {}, line)),
      )
      const error = await addInstances(contextOf(api), 't', [HOST], options).catch(
        (caught: unknown) => caught,
      )
      expect(error).to.have.property('code', 'EntryExists')
      expect(listed(api)).to.deep.equal({ ...OTHERS, ...line })
    })

    it(`keeps the line of somebody who lists the same host ${what}, and says so`, async () => {
      const api = apiInMemory({ [INSTANCES_CONFIG_MAP]: { ...OTHERS, ...line } })
      const { removed, foreign } = await removeInstances(contextOf(api), 't', [HOST], 'of hosts', options)
      expect(removed).to.deep.equal([])
      expect([...foreign]).to.deep.equal([HOST.address])
      expect(listed(api)).to.deep.equal({ ...OTHERS, ...line })
    })
  }

  it('already has the line of a host that the test listed before', async () => {
    const api = apiInMemory({ [INSTANCES_CONFIG_MAP]: OTHERS })
    await addInstances(contextOf(api), 't', [HOST], options)
    await addInstances(contextOf(api), 't', [HOST], options)
    expect(api.patches).to.have.length(1)
    const error = await addInstances(contextOf(api), 'u', [HOST], options).catch((caught: unknown) => caught)
    expect(error).to.have.property('code', 'EntryExists')
  })

  it('loses all that bear the test’s mark, whoever holds their hosts by now, where all are asked for', async () => {
    const api = apiInMemory({ [INSTANCES_CONFIG_MAP]: OTHERS })
    await addInstances(contextOf(api), 't', [HOST], options)
    await addInstances(contextOf(api), 'u', [{ ...HOST, address: '192.0.2.2' }], options)
    expect((await removeInstances(contextOf(api), 't', [], 'of hosts', options)).removed).to.deep.equal([])
    expect((await removeInstances(contextOf(api), 't', [], 'all', options)).removed).to.deep.equal([
      HOST.address,
    ])
    expect(listed(api)).to.deep.equal({ ...OTHERS, '192.0.2.2': 'username=admin' })
  })

  it('needs no write to lose a line that is not there where it does not exist, or the test has no host', async () => {
    const api = apiInMemory()
    expect((await removeInstances(contextOf(api), 't', [HOST], 'of hosts', options)).removed).to.deep.equal(
      [],
    )
    expect(listed(api)).to.equal(undefined)
    const other = apiInMemory({ [INSTANCES_CONFIG_MAP]: OTHERS })
    await removeInstances(contextOf(other), 't', [], 'all', options)
    expect(other.patches).to.deep.equal([])
  })

  for (const [where, data] of [
    ['to a list', { [INSTANCES_CONFIG_MAP]: OTHERS }],
    ['where there was no list', {}],
  ] as const)
    it(`never gets a host ${where} by a write that arrives after the test was cleaned up`, async () => {
      const api = apiInMemory(data)
      const late = loseWrites(api)
      const once = { retry: { attempts: 1, baseDelayMs: 0 } }
      const error = await addInstances(contextOf(api), 't', [HOST], once).catch((caught: unknown) => caught)
      expect(error).to.have.property('code', 'AttemptsExhausted')
      const { mergePatch, create } = late.arriving()
      const { removed } = await removeInstances(contextOf(api), 't', [HOST], 'of hosts', options)
      expect(removed).to.deep.equal([])
      const ends = await Promise.allSettled([mergePatch?.(), create?.()])
      expect(ends).to.have.length(2)
      expect(listed(api) ?? {}).not.to.have.property(HOST.address)
    })

  it('loses a line whose write arrives while it is looked for', async () => {
    const api = apiInMemory({ [INSTANCES_CONFIG_MAP]: OTHERS })
    const late = loseWrites(api)
    await addInstances(contextOf(api), 't', [HOST], { retry: { attempts: 1, baseDelayMs: 0 } }).catch(
      () => undefined,
    )
    const { mergePatch } = late.arriving()
    api.before = async (verb) => {
      if (verb !== 'patch') return
      api.before = () => undefined
      await mergePatch?.()
    }
    const { removed } = await removeInstances(contextOf(api), 't', [HOST], 'of hosts', options)
    expect(removed).to.deep.equal([HOST.address])
    expect(listed(api)).to.deep.equal(OTHERS)
  })
})
