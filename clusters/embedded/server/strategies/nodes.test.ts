import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { at } from '../json/access.ts'
import { type RunningServer, startServer } from '../server.ts'
import { type Answered, TestClient } from '../test-client.ts'

const NODES = '/api/v1/nodes'

let server: RunningServer
let client: TestClient

before(async () => {
  server = await startServer()
  client = new TestClient(server)
})

after(async () => {
  client.close()
  await server.close()
})

const create = (name: string, spec: object): Promise<Answered> =>
  client.ask(NODES, { method: 'POST', body: { metadata: { name }, spec } })

const merge = (path: string, body: object): Promise<Answered> =>
  client.ask(`${NODES}/${path}`, { method: 'PATCH', contentType: 'application/merge-patch+json', body })

describe('the pod networks of a node', () => {
  it('are said in both fields, whichever of them a client knows', async () => {
    const [one, two] = ['10.0.0.0/24', 'fd00::/64']
    for (const [name, spec, all] of [
      ['old-client', { podCIDR: one }, [one]],
      ['new-client', { podCIDRs: [one, two] }, [one, two]],
      ['both', { podCIDR: one, podCIDRs: [one, two] }, [one, two]],
      ['contradiction', { podCIDR: '10.1.0.0/24', podCIDRs: [one, two] }, ['10.1.0.0/24']],
    ] as const) {
      const { body } = await create(name, spec)
      expect(at(body, 'spec', 'podCIDR'), name).to.equal(all[0])
      expect(at(body, 'spec', 'podCIDRs'), name).to.deep.equal(all)
    }
    const { body } = await create('neither', { podCIDR: '' })
    expect(at(body, 'spec')).not.to.have.any.keys('podCIDR', 'podCIDRs')
  })

  it('are given once, by either field', async () => {
    await create('given-late', {})
    const given = await merge('given-late', { spec: { podCIDR: '10.0.2.0/24' } })
    expect(at(given.body, 'spec', 'podCIDRs')).to.deep.equal(['10.0.2.0/24'])
    for (const spec of [{ podCIDR: '10.0.3.0/24' }, { podCIDR: null, podCIDRs: null }]) {
      const refused = await merge('given-late', { spec })
      expect(refused.code, JSON.stringify(spec)).to.equal(422)
      expect(refused.body.message).to.equal(
        'Node "given-late" is invalid: spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      )
    }
    expect((await merge('given-late', { spec: { podCIDR: null } })).code).to.equal(200)
  })

  it('are networks, at most one of each family', async () => {
    const refused = async (podCIDRs: readonly string[]): Promise<unknown> =>
      (await create('refused', { podCIDRs })).body.message
    const notOne = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
    for (const each of ['10.0.0.0', '10.0.0/24', '10.0.0.0/33', '300.0.0.0/8', 'fd00::/129', 'x/8', ':/8']) {
      expect(await refused([each]), each).to.equal(
        `Node "refused" is invalid: spec.podCIDRs[0]: Invalid value: ${JSON.stringify(each)}: ${notOne}`,
      )
    }
    expect(await refused(['10.0.0.0/24', '10.0.1.0/24'])).to.equal(
      'Node "refused" is invalid: spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family',
    )
    expect((await create('leading-zeros', { podCIDR: '010.0.0.0/8' })).code).to.equal(201)
  })
})

describe('a node with an external ID', () => {
  const WARNING = '299 - "spec.externalID: this field is deprecated, and is unused by Kubernetes"'

  it('is warned of, but not whoever writes its status', async () => {
    expect((await create('external', { externalID: 'i-1' })).headers.warning).to.equal(WARNING)
    expect((await merge('external', { metadata: { labels: { a: 'b' } } })).headers.warning).to.equal(WARNING)
    expect((await merge('external/status', { status: { phase: 'Running' } })).headers).not.to.have.property(
      'warning',
    )
    expect((await create('ordinary', {})).headers).not.to.have.property('warning')
  })
})
