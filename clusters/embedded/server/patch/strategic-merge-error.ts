/** A strategic merge patch that does not fit the type it patches; the message is Kubernetes' own. */
export class StrategicMergeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StrategicMergeError'
  }
}
