/** JSON does not fit the Go type that it should be read into; the message is Go's. */
export class DecodeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DecodeError'
  }
}
