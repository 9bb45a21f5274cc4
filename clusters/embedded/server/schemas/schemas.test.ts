import { describe, it } from 'node:test'
import { expect } from 'chai'
import { decodeStruct } from './decode.ts'
import { DecodeError } from './decode-error.ts'
import { canonicalQuantity } from './quantity.ts'
import { microTime, time } from './time.ts'

describe('decoding into a struct', () => {
  it('leaves out what is empty, writes what Go writes, and names what no field takes', () => {
    const unknown: string[] = []
    const decoded = decodeStruct(
      'core.ConfigMap',
      { metadata: { name: 'a', labels: {}, more: 1 }, immutable: false, data: {}, dat: {} },
      unknown,
    )
    expect(decoded).to.deep.equal({ metadata: { name: 'a' }, immutable: false })
    expect(unknown).to.deep.equal(['metadata.more', 'dat'])
  })

  it('keeps a large map as it is and reads null as empty', () => {
    const data = { a: '1', constructor: '2' }
    expect(decodeStruct('core.ConfigMap', { data }, []).data).to.equal(data)
    expect(decodeStruct('core.ConfigMap', { data: { a: null } }, []).data).to.deep.equal({ a: '' })
  })

  it('refuses other types in Go’s words', () => {
    const attempt = (value: object) => () => decodeStruct('core.ConfigMap', value, [])
    expect(attempt({ data: { k: 1 } })).to.throw(
      DecodeError,
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    )
    expect(attempt({ data: ['a'] })).to.throw(
      DecodeError,
      'cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
    )
    expect(attempt({ binaryData: { k: '***' } })).to.throw(DecodeError, 'illegal base64 data at input byte 0')
    expect(attempt({ metadata: { labels: { constructor: {} } } })).to.throw(DecodeError)
  })
})

describe('quantities', () => {
  it('are written in their canonical form', () => {
    const forms = {
      '1024Mi': '1Gi',
      '0.1': '100m',
      '1500m': '1500m',
      '128974848': '128974848',
      '1.5Gi': '1536Mi',
      '0': '0',
      '1e3': '1e3',
    }
    for (const [given, canonical] of Object.entries(forms))
      expect(canonicalQuantity(given), given).to.equal(canonical)
    expect(() => canonicalQuantity('1 Gi')).to.throw(DecodeError, 'quantities must match')
  })
})

describe('times', () => {
  it('are written in UTC with the digits of their type', () => {
    expect(time('2024-01-01T02:00:00.9+02:00')).to.equal('2024-01-01T00:00:00Z')
    expect(microTime('2024-01-01T01:00:00.000001+01:00')).to.equal('2024-01-01T00:00:00.000001Z')
    expect(() => microTime('2024-01-01T00:00:00Z')).to.throw(DecodeError, 'cannot parse "Z" as ".000000"')
    expect(() => time('yesterday')).to.throw(DecodeError, 'parsing time "yesterday"')
  })
})
