import { describe, it } from 'node:test'
import { expect } from 'chai'
import { readInstances } from './windows-instances.ts'

describe('readInstances', () => {
  it('reads IPv4 addresses and DNS names', () => {
    const data = { '192.0.2.17': 'username=Administrator', 'win-a.example.test': 'username=core\n' }
    expect(readInstances({ data })).to.deep.equal({
      instances: [
        { address: '192.0.2.17', username: 'Administrator' },
        { address: 'win-a.example.test', username: 'core' },
      ],
      invalid: [],
    })
  })

  for (const [address, line] of [
    ['192.0.2.17', 'Administrator'],
    ['192.0.2.17', 'username='],
    ['192.0.2.17', 'username=a b'],
    ['192.0.2.256', 'username=core'],
    ['Upper.example.test', 'username=core'],
    ['under_score', 'username=core'],
    [`${'a'.repeat(64)}.test`, 'username=core'],
  ] as const)
    it(`sets aside ${address.slice(0, 20)}: ${line}, and reads the others`, () => {
      const { instances, invalid } = readInstances({
        data: { [address]: line, 'good.test': 'username=core' },
      })
      expect(instances.map((instance) => instance.address)).to.deep.equal(['good.test'])
      expect(invalid.map((one) => one.address)).to.deep.equal([address])
    })

  it('finds nobody where there is no ConfigMap, or one without data', () => {
    expect(readInstances(undefined).instances).to.deep.equal([])
    expect(readInstances({}).instances).to.deep.equal([])
  })
})
