import { KeyObject, randomBytes, webcrypto } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { BitString, Integer, OctetString, Sequence, Set as SetOf, Utf8String } from 'asn1js'
import {
  AltName,
  AttributeTypeAndValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  GeneralName,
  id_AuthorityKeyIdentifier,
  id_BasicConstraints,
  id_ExtKeyUsage,
  id_KeyUsage,
  id_SubjectAltName,
  id_SubjectKeyIdentifier,
  RelativeDistinguishedNames,
  Time,
} from 'pkijs'

/** A certificate and its key as PEM. */
export interface Identity {
  readonly certificate: string
  readonly key: string
}

export interface Authority extends Identity {
  readonly issue: (request: Issue) => Promise<Identity>
}

interface Issue {
  readonly commonName: string
  readonly organisations?: readonly string[]
  readonly usage: 'server' | 'client'
  /** Host names and IPv4 addresses. */
  readonly hosts?: readonly string[]
}

type Keys = webcrypto.CryptoKeyPair

const COMMON_NAME = '2.5.4.3'
const ORGANISATION = '2.5.4.10'
const PURPOSE = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const
/** RFC 5280, 4.2.1.3, bits from the left: digitalSignature is the first, keyCertSign and cRLSign are the sixth and seventh. */
const KEY_USAGE = {
  signs: { flags: 0b1000_0000, unused: 7 },
  signsCertificates: { flags: 0b0000_0110, unused: 1 },
} as const
const SAN_TYPE = { dns: 2, ip: 7 } as const
const DAY = 24 * 60 * 60_000

/** Makes a certificate authority that lives as long as the process; its key never leaves it. ECDSA on P-256. */
export async function createAuthority(commonName: string): Promise<Authority> {
  const keys = await generateKeys()
  const issuer = distinguishedName(commonName, [])
  const keyId = new OctetString({ valueHex: randomBytes(20) })
  const certificate = await certify({
    issuer,
    subject: issuer,
    publicKey: keys.publicKey,
    signer: keys.privateKey,
    extensions: [
      extension(id_BasicConstraints, new BasicConstraints({ cA: true }).toSchema(), true),
      extension(id_KeyUsage, keyUsage('signsCertificates'), true),
      extension(id_SubjectKeyIdentifier, keyId),
    ],
  })
  return {
    certificate,
    key: pem(keys.privateKey),
    issue: (request) => issue(request, issuer, keys.privateKey, keyId),
  }
}

async function issue(
  request: Issue,
  issuer: RelativeDistinguishedNames,
  signer: webcrypto.CryptoKey,
  keyId: OctetString,
): Promise<Identity> {
  const keys = await generateKeys()
  const altNames = (request.hosts ?? []).map(generalName)
  const certificate = await certify({
    issuer,
    subject: distinguishedName(request.commonName, request.organisations ?? []),
    publicKey: keys.publicKey,
    signer,
    extensions: [
      extension(id_BasicConstraints, new BasicConstraints().toSchema(), true),
      extension(id_KeyUsage, keyUsage('signs'), true),
      extension(id_ExtKeyUsage, new ExtKeyUsage({ keyPurposes: [PURPOSE[request.usage]] }).toSchema()),
      extension(id_AuthorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: keyId }).toSchema()),
      ...(altNames.length === 0 ? [] : [extension(id_SubjectAltName, new AltName({ altNames }).toSchema())]),
    ],
  })
  return { certificate, key: pem(keys.privateKey) }
}

interface ToCertify {
  readonly issuer: RelativeDistinguishedNames
  readonly subject: RelativeDistinguishedNames
  readonly publicKey: webcrypto.CryptoKey
  readonly signer: webcrypto.CryptoKey
  readonly extensions: Extension[]
}

async function certify({ issuer, subject, publicKey, signer, extensions }: ToCertify): Promise<string> {
  const serial = randomBytes(16)
  // Positive and of full length, as RFC 5280 (4.1.2.2) asks, whatever the dice say.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const now = Date.now()
  const certificate = new Certificate({
    version: 2,
    serialNumber: new Integer({ valueHex: serial }),
    issuer,
    subject,
    notBefore: new Time({ value: new Date(now - DAY) }),
    notAfter: new Time({ value: new Date(now + 365 * DAY) }),
    extensions,
  })
  await certificate.subjectPublicKeyInfo.importKey(publicKey)
  await certificate.sign(signer, 'SHA-256')
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

async function generateKeys(): Promise<Keys> {
  return webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
}

function distinguishedName(commonName: string, organisations: readonly string[]): RelativeDistinguishedNames {
  const relative = (type: string, value: string) =>
    new SetOf({ value: [new AttributeTypeAndValue({ type, value: new Utf8String({ value }) }).toSchema()] })
  const name = new Sequence({
    value: [...organisations.map((each) => relative(ORGANISATION, each)), relative(COMMON_NAME, commonName)],
  })
  // As `typesAndValues` they would become one relative name of many values, and not sorted as DER wants them.
  return new RelativeDistinguishedNames({ valueBeforeDecode: name.toBER() })
}

function generalName(host: string): GeneralName {
  if (!isIPv4(host)) return new GeneralName({ type: SAN_TYPE.dns, value: host })
  const address = new OctetString({ valueHex: Uint8Array.from(host.split('.').map(Number)) })
  return new GeneralName({ type: SAN_TYPE.ip, value: address })
}

function keyUsage(which: keyof typeof KEY_USAGE): BitString {
  const { flags, unused } = KEY_USAGE[which]
  return new BitString({ valueHex: Uint8Array.of(flags), unusedBits: unused })
}

function extension(extnID: string, value: { toBER(): ArrayBuffer }, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: value.toBER() })
}

function pem(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'sec1', format: 'pem' }).toString()
}
