import { describe, it } from 'node:test'
import { expect } from 'chai'
import { redact, rememberSecret, withoutSecretData } from './redact.ts'

/** Put together here, so that no scanner of sources takes it for a real one. */
const PEM = ['-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIEow\nabc=\n-----END RSA ', 'PRIVATE KEY-----'].join('')
const JWT = ['eyJhbGciOiJSUzI1NiJ9', 'eyJzdWIiOiJzeXN0ZW0ifQ', 'c2lnbmF0dXJl'].join('.')

const HIDDEN: readonly [string, string, string][] = [
  ['a bearer token in a header', 'Authorization: Bearer abcdef0123456789', 'abcdef0123456789'],
  ['basic credentials', 'authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['a service account’s token', `said ${JWT} and left`, JWT],
  ['a private key', `key:\n${PEM}\n`, 'MIIEow'],
  ['a private key that was cut off', PEM.slice(0, 50), 'MIIEow'],
  ['a private key in JSON', JSON.stringify({ key: PEM }), 'MIIEow'],
  ['a kubeconfig’s client key', 'client-key-data: TFMwdExTMUNSVWRKVGlC', 'TFMwdExTMUNSVWRKVGlC'],
  ['a kubeconfig’s token in YAML', "    token: 'q1w2e3r4t5'", 'q1w2e3r4t5'],
  ['a password in JSON', '{"password":"hunter2 \\" more"}', 'hunter2'],
]

describe('redaction', () => {
  for (const [what, text, secret] of HIDDEN)
    it(`hides ${what}`, () => {
      expect(text, 'the example').to.include(secret)
      expect(redact(text)).to.include('[redacted]').and.not.to.include(secret)
    })

  it('hides what it was told to, plain and in base64, wherever it is', () => {
    const secret = 'planted-value-of-a-secret'
    rememberSecret(secret)
    const text = `${secret} ${Buffer.from(secret).toString('base64')} "${secret}"`
    expect(redact(text)).to.equal('[redacted] [redacted] "[redacted]"')
  })

  it('leaves ordinary evidence as it is', () => {
    const text =
      'status: available\nusername: Administrator\nresourceVersion 191051 → 206192\n{"testId":"login"}'
    expect(redact(text)).to.equal(text)
  })

  it('shows which keys a Secret has, never their values', () => {
    const secret = {
      kind: 'Secret',
      metadata: { name: 'x' },
      data: { key: 'dmFsdWU=' },
      stringData: { other: 'value' },
    }
    expect(withoutSecretData(secret)).to.deep.equal({
      kind: 'Secret',
      metadata: { name: 'x' },
      data: { key: '[redacted]' },
      stringData: { other: '[redacted]' },
    })
  })
})
