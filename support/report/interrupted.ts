import { INTERRUPTED, SKIP_MEDIA_TYPE } from './media-types.ts'
import { readMessageStream } from './message-stream.ts'

/** Whether the run that left these messages was ended early, as far as they tell. */
export function wasInterrupted(messages: string): boolean {
  const { envelopes } = readMessageStream(messages)
  const finished = envelopes.some((envelope) => envelope.testRunFinished)
  const said = envelopes.some(({ attachment }) => {
    return attachment?.mediaType === SKIP_MEDIA_TYPE && attachment.body.startsWith(INTERRUPTED)
  })
  return !finished || said
}
