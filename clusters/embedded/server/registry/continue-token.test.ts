import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiError } from '../status.ts'
import { decodeToken, encodeToken } from './continue-token.ts'

const token = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString('base64url')

describe('a token that continues a list', () => {
  it('is read as it was written', () => {
    for (const each of [
      { revision: 12, after: 'default/a' },
      { revision: -1, after: 'näme' },
    ]) {
      expect(decodeToken(encodeToken(each))).to.deep.equal(each)
    }
  })

  it('is refused where it is none, in the words of Kubernetes', () => {
    const version = 'meta.k8s.io/v1'
    for (const [text, why] of [
      ['abc!', 'illegal base64 data at input byte 3'],
      ['abcde', 'illegal base64 data at input byte 4'],
      [Buffer.from('{').toString('base64url'), 'unexpected end of JSON input'],
      [token([]), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
      [token(null), 'server does not recognize this encoded version '],
      [token({ v: 'v2', rv: 1, start: 'a' }), 'server does not recognize this encoded version v2'],
      [token({ v: version, start: 'a' }), `incorrect encoded start resourceVersion (version ${version})`],
      [token({ v: version, rv: 1 }), `encoded start key empty (version ${version})`],
      [token({ v: version, rv: 1, start: '../secrets/a' }), '../secrets/a'],
      [
        token({ v: version, rv: 1.5, start: 'a' }),
        'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
      ],
    ] as const) {
      expect(() => decodeToken(text), text)
        .to.throw(ApiError, `invalid continue token: continue key is not valid: ${why}`)
        .with.property('code', 400)
    }
  })
})
