import { podsOf } from '../pods/pods.ts'
import type { PoolwrightWorld } from '../world.ts'

/** A held connection ended; the message says after what. */
class ConnectionCutError extends Error {
  override readonly name = 'ConnectionCutError'
}

/** What a holder prints when its connection ends. */
const CUT = 'cut'

/** Makes a pod that connects and says something a few times a second, until the connection is cut. */
export async function holdConnection(
  world: PoolwrightWorld,
  name: string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  await podsOf(world).create(name, { does: [`hold:${host}:${port}`], spec: { restartPolicy: 'Never' } })
  await podsOf(world).untilRunning(name)
}

/**
 * Hears what the holder was answered, from its beginning on, until so many answers have come since then; answers all of
 * them. Throws ConnectionCutError where the connection ends before.
 */
export async function hearAnswers(
  world: PoolwrightWorld,
  name: string,
  since: number,
  count: number,
): Promise<readonly string[]> {
  const what = `the connection of pod ${name} to be answered`
  return podsOf(world)
    .heard(name)
    .until(what, world.limits.reaction, (lines) => {
      const answers = lines.map(({ text }) => text)
      if (answers.includes(CUT))
        throw new ConnectionCutError(
          `the connection of pod ${name} was cut: ${answers.slice(-3).join(' | ')}`,
        )
      return answers.length >= since + count && answers
    })
}
