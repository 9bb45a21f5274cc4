/** The text of the doc comment that ends right above a line, counted from 1; empty where there is none. */
export function docComment(source: readonly string[], line: number): string {
  const last = line - 2
  if (!source[last]?.trimEnd().endsWith('*/')) return ''
  let first = last
  while (first > 0 && !source[first]?.trimStart().startsWith('/**')) first -= 1
  return source
    .slice(first, last + 1)
    .map((text) => text.replace(/^\s*\/?\*+\/?/, '').replace(/\*\/\s*$/, ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
