/** How many are worth reading, and how alike they must be to be worth it, from 0 to 1. */
const MOST = 3
const LEAST_ALIKE = 0.3

/** The patterns of step definitions that are most like the text of a step, the nearest first. */
export function nearestPatterns(text: string, patterns: readonly string[]): string[] {
  const asked = trigrams(withoutValues(text))
  return patterns
    .map((pattern) => ({ pattern, alike: alike(asked, trigrams(words(pattern))) }))
    .filter((each) => each.alike >= LEAST_ALIKE)
    .toSorted((a, b) => b.alike - a.alike)
    .slice(0, MOST)
    .map(({ pattern }) => pattern)
}

/** What a scenario fills in: quoted texts, numbers, addresses. */
function withoutValues(text: string): string {
  return text.replaceAll(/"[^"]*"|\S*\d\S*/g, ' ')
}

/** The words of a Cucumber expression or a regular expression, without what stands for values. */
function words(pattern: string): string {
  return pattern
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/\\.|\[[^\]]*\]|\?[:=!]/g, ' ')
    .replaceAll(/[\^$()|+*?.,"]/g, ' ')
}

/** Pieces of three characters, which misspelt words share for the most part. */
function trigrams(text: string): ReadonlySet<string> {
  const padded = ` ${text.toLowerCase().replaceAll(/\s+/g, ' ').trim()} `
  return new Set(Array.from({ length: padded.length - 2 }, (_, start) => padded.slice(start, start + 3)))
}

/** Dice's coefficient. */
function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = one.intersection(other).size
  return (2 * shared) / (one.size + other.size || 1)
}
