/**
 * Does something for all items at once, although it fails for some: one bad object must not stop the others. Throws the first
 * failure at the end.
 */
export async function eachApart<T>(items: Iterable<T>, act: (item: T) => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled([...items].map(act))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
