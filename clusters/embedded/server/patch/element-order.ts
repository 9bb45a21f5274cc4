import { valueKey } from '../json/value-key.ts'

/**
 * The order of a list that a patch was merged into, as Kubernetes' strategicpatch has it: the items that `first` names come in
 * its order, the others in that of the list as it was, `before`. One of the others goes ahead of a named one only where it stood
 * ahead of it before; so what a patch adds precedes what only the server had.
 *
 * @param keyed what tells two items of the list apart
 */
export function inElementOrder(
  items: readonly unknown[],
  first: readonly unknown[],
  before: readonly unknown[],
  keyed: (item: unknown) => unknown,
): unknown[] {
  const placeIn = (list: readonly unknown[]): ((item: unknown) => number) => {
    const places = new Map<string, number>()
    for (const [place, item] of list.entries()) {
      const key = valueKey(keyed(item))
      if (!places.has(key)) places.set(key, place)
    }
    return (item) => places.get(valueKey(keyed(item))) ?? Number.POSITIVE_INFINITY
  }
  const named = placed(items, placeIn(first)).filter(({ place }) => place !== Number.POSITIVE_INFINITY)
  const isNamed = new Set(named.map(({ item }) => item))
  const wasAt = placeIn(before)
  const others = placed(
    items.filter((item) => !isNamed.has(item)),
    wasAt,
  )
  const result: unknown[] = []
  let next = 0
  for (const { item } of named) {
    const limit = wasAt(item)
    while (limit !== Number.POSITIVE_INFINITY) {
      const other = others[next]
      if (other === undefined || other.place >= limit) break
      result.push(other.item)
      next++
    }
    result.push(item)
  }
  return [...result, ...others.slice(next).map(({ item }) => item)]
}

function placed(
  items: readonly unknown[],
  placeOf: (item: unknown) => number,
): { item: unknown; place: number }[] {
  const found = items.map((item) => ({ item, place: placeOf(item) }))
  // Not by subtraction: infinity less infinity is no number.
  return found.sort((left, right) => (left.place < right.place ? -1 : left.place > right.place ? 1 : 0))
}
