import { describe, it } from 'node:test'
import { expect } from 'chai'
import { readEntry } from './entry.ts'

const GOOD = 'status: available\nusername: Administrator\naddress-type: ip\nplatform: vsphere\n'

function judge(text: string, address = '192.0.2.1'): string {
  const read = readEntry(address, text)
  return 'entry' in read ? 'well-formed' : read.malformed.field
}

function without(field: string): string {
  return GOOD.replace(new RegExp(`^${field}:.*\n`, 'm'), '')
}

describe('reading an entry', () => {
  const bomb = `a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n${GOOD}`
  const cases: readonly [what: string, text: string, field: string][] = [
    ['the everyday form', GOOD, 'well-formed'],
    ['unknown fields of any kind', `${GOOD}x: {y: [1e3, ~]}\n`, 'well-formed'],
    ['CRLF', GOOD.replaceAll('\n', '\r\n'), 'well-formed'],
    ['JSON', '{"status":"available","username":"u","address-type":"ip","platform":"p"}', 'well-formed'],
    ['one document with markers', `---\n${GOOD}...\n`, 'well-formed'],
    ['nothing', '', 'value'],
    ['a comment alone', '# x\n', 'value'],
    ['a list', '- a\n', 'value'],
    ['a number', '42', 'value'],
    ['no YAML', 'status: {', 'value'],
    ['two documents', `${GOOD}---\n${GOOD}`, 'value'],
    ['a tab as indent', `${GOOD}x:\n\ty: z\n`, 'value'],
    ['a byte order mark', `\ufeff${GOOD}`, 'value'],
    ['a NUL', GOOD.replace('vsphere', 'vs\u0000phere'), 'value'],
    ['an alias bomb', bomb, 'value'],
    ['an alias to itself', `${GOOD}x: &x [*x]\n`, 'value'],
    ['a merge key', `${GOOD}base: &b {status: available}\n<<: *b\n`, 'value'],
    ['a huge value', `${GOOD}x: ${'y'.repeat(300_000)}\n`, 'value'],
    ['deep nesting', `x: ${'['.repeat(8_000)}`, 'value'],
    ['a set', '!!set {status, username}', 'value'],
    ['a field twice', `${GOOD}status: quarantined\n`, 'status'],
    ['a field twice, quoted differently', `${GOOD}"status": available\n`, 'status'],
    ['a status that is a list', GOOD.replace('available', '[available]'), 'status'],
    ['a tagged username', GOOD.replace('Administrator', '!!binary QQ=='), 'username'],
    ['a tagged number', GOOD.replace('Administrator', '!!int 3'), 'username'],
    ['an unknown status', GOOD.replace('available', 'broken'), 'status'],
    ['a status with a capital', GOOD.replace('available', 'Available'), 'status'],
    ['a status with a Cyrillic a', GOOD.replace('available', '\u0430vailable'), 'status'],
    ['a status with a zero-width space', GOOD.replace('available', 'available\u200b'), 'status'],
    ['a block status', GOOD.replace('status: available', 'status: |\n  available'), 'status'],
    ['a field name with a Cyrillic a', GOOD.replace('status', 'st\u0430tus'), 'status'],
    ['a username of two lines', GOOD.replace('Administrator', '"a\\nb"'), 'username'],
    ['an empty username', GOOD.replace('Administrator', ''), 'username'],
    ['a username of spaces', GOOD.replace('Administrator', '"  "'), 'username'],
    ['an unknown address type', GOOD.replace('ip', 'mac'), 'address-type'],
    ['another address type than its key', GOOD.replace('ip', 'dns'), 'address-type'],
    ['a time that is none', `${GOOD}last-updated: yesterday\n`, 'last-updated'],
    ['30 February', `${GOOD}last-updated: 2026-02-30T00:00:00Z\n`, 'last-updated'],
    ['a time with an offset', `${GOOD}last-updated: 2026-03-31T12:00:00+02:00\n`, 'well-formed'],
    ['in use without a test id', GOOD.replace('available', 'in-use'), 'test-id'],
    ['in use since nobody knows', `${GOOD.replace('available', 'in-use')}test-id: t\n`, 'allocated-at'],
    [
      'in use since an impossible time',
      `${GOOD.replace('available', 'in-use')}test-id: t\nallocated-at: 1e3\n`,
      'allocated-at',
    ],
    ...['status', 'username', 'address-type', 'platform'].map(
      (field) => [`no ${field}`, without(field), field] as [string, string, string],
    ),
  ]
  for (const [what, text, field] of cases)
    it(`takes ${what} for ${field === 'well-formed' ? field : `malformed in ${field}`}`, () => {
      expect(judge(text)).to.equal(field)
    })

  const keys: readonly [string, string][] = [
    ['WIN-1.example.com', 'upper case'],
    ['win_1.example.com', 'an underscore'],
    ['__proto__', 'a prototype key'],
    ['...', 'dots'],
    ['-a.example', 'a label that starts with a hyphen'],
    ['192.0.2.256', 'an IPv4 address out of range'],
    ['192.0.2.017', 'an IPv4 address with a leading zero'],
    [`${'a'.repeat(64)}.example`, 'a label of 64 characters'],
  ]
  for (const [key, what] of keys)
    it(`takes the key ${key.slice(0, 20)} (${what}) for malformed`, () => {
      expect(judge(GOOD.replace('ip', 'dns'), key)).to.equal('address')
    })

  for (const name of ['constructor', 'win-1.example.com', 'hasownproperty'])
    it(`takes ${name} for an ordinary DNS name`, () => {
      expect(judge(GOOD.replace('ip', 'dns'), name)).to.equal('well-formed')
    })

  it('leaves scalars as they were written', () => {
    for (const word of ['1e3', '0123', 'no', '~', 'null', '2026-03-31', '0x1F', '1_000', 'true', '.inf']) {
      const read = readEntry('192.0.2.1', GOOD.replace('Administrator', word).replace('vsphere', word))
      if (!('entry' in read)) expect.fail(`${word}: ${read.malformed.found}`)
      expect([read.entry.username, read.entry.platform]).to.deep.equal([word, word])
    }
  })
})
