/** For property tests: pseudo-random texts that come back the same for the same seed (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(roll: () => number, from: readonly T[]): T {
  const picked = from[Math.floor(roll() * from.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}

const PIECES = [
  ...[
    'a',
    'Z',
    '0',
    '9',
    '-',
    '_',
    '.',
    ':',
    ': ',
    ' #',
    '#',
    '"',
    "'",
    '\\',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '  ',
    '\u0000',
    '\u0007',
  ],
  ...[
    '\u0085',
    '\u00a0',
    '\u2028',
    '\u200b',
    '\u202e',
    '\ufeff',
    '\ufffd',
    '😀',
    '𝒾',
    'ë',
    'я',
    '{',
    '}',
    '[',
    ']',
    ',',
    '&',
    '*',
    '!',
  ],
  ...['|', '>', '%', '@', '`', '~', '---', '...', '- ', '? ', '<<', 'no', '1e3', 'null', '$&', '$1'],
]

/** A text of 1 to 12 pieces that YAML, JSON or JavaScript might trip over. */
export function hostileText(roll: () => number): string {
  return Array.from({ length: 1 + Math.floor(roll() * 12) }, () => pick(roll, PIECES)).join('')
}
