import { parseAccept } from '../http/negotiate.ts'
import type { Answer } from '../http/respond.ts'
import { notImplemented } from '../status.ts'

/** What kubectl asks for, and the same without the character that media types may not have. */
const PROTOBUF = /^application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf$/

/**
 * The OpenAPI v2 that kubectl falls back to for a kind that v3 doesn't know: it has no paths, which says that nothing is known
 * of that kind here either, and kubectl goes on to discovery. Throws ApiError 501 for every other form.
 */
export function openApiV2(accept: string | undefined): Answer {
  if (!parseAccept(accept).some(({ type }) => PROTOBUF.test(type))) {
    throw notImplemented(
      { verb: 'get', resource: 'openapi/v2' },
      'kinds and paths are described in OpenAPI v3 alone, at /openapi/v3',
    )
  }
  const information = Buffer.concat([field(1, 'Kubernetes'), field(2, 'v1.36.3')])
  return {
    code: 200,
    contentType: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    body: Buffer.concat([field(1, '2.0'), field(2, information)]),
  }
}

/** A string or a message of Protocol Buffers; below 128 bytes, where a length is one byte. */
function field(number: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
}
