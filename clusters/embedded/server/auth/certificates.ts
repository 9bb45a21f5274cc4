import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { bits, boolean, integer, objectId, octets, sequence, set, tagged, text, time } from './der.ts'

/** A certificate and its key as PEM. */
export interface Identity {
  readonly certificate: string
  readonly key: string
}

export interface Authority extends Identity {
  readonly issue: (request: Issue) => Identity
}

interface Issue {
  readonly commonName: string
  readonly organisations?: readonly string[]
  readonly usage: 'server' | 'client'
  /** Host names and IPv4 addresses. */
  readonly hosts?: readonly string[]
}

const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'))
const DAY = 24 * 60 * 60_000

/** Makes a certificate authority that lives as long as the process; its key never leaves it. ECDSA on P-256. */
export function createAuthority(commonName: string): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = distinguishedName(commonName, [])
  const keyId = randomBytes(20)
  const certificate = certify({
    issuer,
    subject: issuer,
    publicKey: keys.publicKey,
    signer: keys.privateKey,
    extensions: [
      extension('2.5.29.19', sequence(boolean(true)), true),
      extension('2.5.29.15', bits(Buffer.from([0x06]), 1), true),
      extension('2.5.29.14', octets(keyId)),
    ],
  })
  return {
    certificate,
    key: pem(keys.privateKey),
    issue: (request) => issue(request, issuer, keys.privateKey, keyId),
  }
}

function issue(request: Issue, issuer: Buffer, signer: KeyObject, keyId: Buffer): Identity {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const purpose = request.usage === 'server' ? '1.3.6.1.5.5.7.3.1' : '1.3.6.1.5.5.7.3.2'
  const names = (request.hosts ?? []).map((host) =>
    isIPv4(host)
      ? tagged(7, Buffer.from(host.split('.').map(Number)), false)
      : tagged(2, Buffer.from(host, 'ascii'), false),
  )
  const certificate = certify({
    issuer,
    subject: distinguishedName(request.commonName, request.organisations ?? []),
    publicKey: keys.publicKey,
    signer,
    extensions: [
      extension('2.5.29.19', sequence(), true),
      extension('2.5.29.15', bits(Buffer.from([0x80]), 7), true),
      extension('2.5.29.37', sequence(objectId(purpose))),
      extension('2.5.29.35', sequence(tagged(0, keyId, false))),
      ...(names.length === 0 ? [] : [extension('2.5.29.17', sequence(...names))]),
    ],
  })
  return { certificate, key: pem(keys.privateKey) }
}

interface ToCertify {
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly publicKey: KeyObject
  readonly signer: KeyObject
  readonly extensions: readonly Buffer[]
}

function certify({ issuer, subject, publicKey, signer, extensions }: ToCertify): string {
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const now = Date.now()
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(time(new Date(now - DAY)), time(new Date(now + 365 * DAY))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, signer)
  const der = sequence(body, ECDSA_WITH_SHA256, bits(signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function distinguishedName(commonName: string, organisations: readonly string[]): Buffer {
  const attribute = (oid: string, value: string): Buffer => set(sequence(objectId(oid), text(value)))
  return sequence(
    ...organisations.map((each) => attribute('2.5.4.10', each)),
    attribute('2.5.4.3', commonName),
  )
}

function extension(oid: string, value: Buffer, critical = false): Buffer {
  return sequence(objectId(oid), ...(critical ? [boolean(true)] : []), octets(value))
}

function pem(key: KeyObject): string {
  return key.export({ type: 'sec1', format: 'pem' }).toString()
}
