/** Does something for each item although it fails for some: one bad object must not stop the others. Throws the first failure at the end. */
export async function eachApart<T>(items: Iterable<T>, act: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) await act(item).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
