import { createPrivateKey, X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { createAuthority, type Identity } from './certificates.ts'

const DAY_MS = 24 * 60 * 60_000
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2'
/** The extension of key usage, critical, as X.690 writes it: the last two bytes are the unused bits and the flags. */
const KEY_USAGE = { signsCertificates: '0603551d0f0101ff040403020106', signs: '0603551d0f0101ff040403020780' }

const authority = await createAuthority('an authority')
const server = await authority.issue({
  commonName: 'a server',
  usage: 'server',
  hosts: ['127.0.0.1', 'localhost', 'kubernetes.default.svc'],
})
const client = await authority.issue({
  commonName: 'someone',
  organisations: ['a group', 'ünd'],
  usage: 'client',
})
const parse = ({ certificate }: Identity): X509Certificate => new X509Certificate(certificate)
const hex = (identity: Identity): string => parse(identity).raw.toString('hex')

describe('a certificate authority of the embedded cluster', () => {
  it('signs itself, may sign certificates, and nothing else', () => {
    const own = parse(authority)
    expect(own.ca).to.equal(true)
    expect(own.subject).to.equal('CN=an authority')
    expect(own.issuer).to.equal(own.subject)
    expect(own.verify(own.publicKey)).to.equal(true)
    expect(hex(authority)).to.contain(KEY_USAGE.signsCertificates)
  })

  it('issues certificates that verify against it and against no other of the same name', async () => {
    const own = parse(authority)
    const other = parse(await createAuthority('an authority'))
    for (const issued of [server, client].map(parse)) {
      expect(issued.checkIssued(own)).to.equal(true)
      expect(issued.verify(own.publicKey)).to.equal(true)
      expect(issued.checkIssued(other)).to.equal(false)
      expect(issued.verify(other.publicKey)).to.equal(false)
      expect(issued.ca).to.equal(false)
    }
  })

  it('names what a server may be called', () => {
    const issued = parse(server)
    expect(issued.subjectAltName).to.equal('IP Address:127.0.0.1, DNS:localhost, DNS:kubernetes.default.svc')
    expect(issued.checkIP('127.0.0.1')).to.equal('127.0.0.1')
    expect(issued.checkIP('127.0.0.2')).to.equal(undefined)
    expect(issued.checkHost('localhost')).to.equal('localhost')
    expect(issued.checkHost('elsewhere')).to.equal(undefined)
  })

  it('names a client and its groups, as Kubernetes reads them', () => {
    const issued = parse(client)
    expect(issued.subject).to.equal('O=a group\nO=ünd\nCN=someone')
    expect(issued.subjectAltName).to.equal(undefined)
  })

  it('lets each be used for one purpose', () => {
    expect(parse(server).keyUsage).to.deep.equal([SERVER_AUTHENTICATION])
    expect(parse(client).keyUsage).to.deep.equal([CLIENT_AUTHENTICATION])
    for (const issued of [server, client]) expect(hex(issued)).to.contain(KEY_USAGE.signs)
  })

  it('hands out the key that belongs to a certificate, and a number of its own', () => {
    for (const identity of [authority, server, client]) {
      expect(parse(identity).checkPrivateKey(createPrivateKey(identity.key))).to.equal(true)
    }
    const numbers = [authority, server, client].map((identity) => parse(identity).serialNumber)
    expect(new Set(numbers)).to.have.property('size', 3)
    for (const number of numbers) expect(number).to.match(/^[4-7][0-9A-F]{31}$/)
  })

  it('is valid at once, also for a clock that is behind, and for a year', () => {
    for (const { validFromDate, validToDate } of [authority, server, client].map(parse)) {
      expect(validFromDate.getTime()).to.be.within(Date.now() - 1.1 * DAY_MS, Date.now() - 0.9 * DAY_MS)
      expect(validToDate.getTime()).to.be.within(Date.now() + 364 * DAY_MS, Date.now() + 366 * DAY_MS)
    }
  })
})
