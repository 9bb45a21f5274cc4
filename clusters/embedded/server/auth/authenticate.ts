import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { unauthorized } from '../status.ts'
import { ANONYMOUS, type User } from './users.ts'

/** Tells who sends a request, by client certificate or bearer token. Throws ApiError 401. */
export class Authenticator {
  readonly #tokens: readonly { readonly digest: Buffer; readonly user: User }[]
  readonly #anonymous: boolean
  readonly #certificates = new WeakMap<TLSSocket, User | null>()

  constructor(tokens: Readonly<Record<string, User>>, anonymous: boolean) {
    this.#tokens = Object.entries(tokens).map(([token, user]) => ({ digest: digest(token), user }))
    this.#anonymous = anonymous
  }

  authenticate(request: IncomingMessage): User {
    const certified = this.#certified(request.socket as TLSSocket)
    if (certified !== null) return certified
    const header = request.headers.authorization
    if (header !== undefined && /^bearer\s/i.test(header)) return this.#bearer(header.slice(7).trim())
    if (!this.#anonymous) throw unauthorized()
    return ANONYMOUS
  }

  #bearer(token: string): User {
    const given = digest(token)
    const found = this.#tokens.find((each) => timingSafeEqual(each.digest, given))
    if (found === undefined) throw unauthorized()
    return found.user
  }

  /** A certificate belongs to the connection: it is looked at once, not with every request on it. */
  #certified(socket: TLSSocket): User | null {
    const known = this.#certificates.get(socket)
    if (known !== undefined) return known
    const user = socket.authorized ? userOf(socket) : null
    this.#certificates.set(socket, user)
    return user
  }
}

function userOf(socket: TLSSocket): User | null {
  const subject = socket.getPeerCertificate().subject as unknown as
    | Record<string, string | string[]>
    | undefined
  const name = subject?.CN
  if (typeof name !== 'string') return null
  const organisations = subject?.O ?? []
  return {
    name,
    groups: [...(Array.isArray(organisations) ? organisations : [organisations]), 'system:authenticated'],
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
