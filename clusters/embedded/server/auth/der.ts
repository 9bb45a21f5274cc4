/**
 * Just enough DER to write an X.509 certificate. On a busy machine the server spent 250 to 390 ms of CPU from process start to
 * ready with this, and 390 to 570 ms with @peculiar/asn1-x509 2.11 from a compile cache; selfsigned takes 140 to 230 ms to load.
 * It has 500 ms in all. certificates.test.ts holds the result to account.
 */
const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  text: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

export function sequence(...parts: readonly Buffer[]): Buffer {
  return element(TAG.sequence, Buffer.concat(parts))
}

export function set(...parts: readonly Buffer[]): Buffer {
  return element(TAG.set, Buffer.concat(parts))
}

/** A non-negative integer from its big-endian bytes. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes[0] ?? 0
  return element(TAG.integer, first >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest.flatMap(base128)]
  return element(TAG.oid, Buffer.from(bytes))
}

export function text(value: string): Buffer {
  return element(TAG.text, Buffer.from(value, 'utf8'))
}

/** GeneralizedTime in UTC. */
export function time(value: Date): Buffer {
  return element(TAG.time, Buffer.from(`${value.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`))
}

export function octets(bytes: Buffer): Buffer {
  return element(TAG.octets, bytes)
}

export function bits(bytes: Buffer, unused = 0): Buffer {
  return element(TAG.bits, Buffer.concat([Buffer.from([unused]), bytes]))
}

export function boolean(value: boolean): Buffer {
  return element(0x01, Buffer.from([value ? 0xff : 0]))
}

/** A context-specific element; constructed ones hold other elements. */
export function tagged(number: number, content: Buffer, constructed = true): Buffer {
  return element(0x80 | (constructed ? 0x20 : 0) | number, content)
}

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, ...length(content.length)]), content])
}

function length(size: number): number[] {
  if (size < 0x80) return [size]
  return size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}
