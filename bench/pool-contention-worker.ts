/** One process of the pool benchmark: is told its task, waits for the start, lets its allocators loose, tells how it went. */
import { getOneMessage, sendMessage } from 'execa'
import { allocatorOf } from './pool-contention-allocators.ts'
import type { Counts, Story, Task } from './pool-contention-task.ts'

const task = (await getOneMessage()) as unknown as Task
const allocate = await allocatorOf(task)
await sendMessage('ready')
await getOneMessage()
await sendMessage(JSON.stringify(await Promise.all(task.testIds.map(tell))))

async function tell(testId: string): Promise<Story> {
  const counts: Counts = { reads: 0, writes: 0 }
  const started = performance.now()
  const outcome = await allocate(testId, counts).then(
    (address) => ({ address }),
    (error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }),
  )
  return { testId, ...outcome, ...counts, milliseconds: performance.now() - started }
}
