export interface NamedEntry {
  readonly address: string
  readonly text: string
}

const FIELDS = {
  status: 'available',
  username: 'Administrator',
  'address-type': 'ip',
  platform: 'vsphere',
  'last-updated': '2026-03-31T12:00:00Z',
} as const

/** A well-formed entry with some of its lines replaced, or left out where the replacement is undefined. */
export function entryWith(changes: Readonly<Record<string, string | undefined>>): string {
  return Object.entries({ ...FIELDS, ...changes })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}

const ADDRESS = '192.0.2.20'

/**
 * Entries that an implementation must set aside, by how a feature calls them. Each offers a node as far as it can,
 * so that believing it shows.
 */
export const MALFORMED_ENTRIES: Readonly<Record<string, NamedEntry>> = {
  'not YAML': at(`${entryWith({})}status: {[\n`),
  empty: at(''),
  'full of control characters': at(entryWith({ username: 'Admin\u0000\u0007\u001b[31m' })),
  'led by a byte order mark': at(`\uFEFF${entryWith({})}`),
  'a list': at('- status: available\n- username: Administrator\n- platform: vsphere\n'),
  'a number': at('42\n'),
  'a mapping whose status is a list': at(entryWith({ status: '[available]' })),
  'a mapping whose username is tagged': at(entryWith({ username: '!!binary QWRtaW4=' })),
  'a mapping with a tag of its own': at(entryWith({ platform: '!local vsphere' })),
  broken: at(entryWith({ status: 'broken' })),
  'Available with a capital': at(entryWith({ status: 'Available' })),
  // The first letter is Cyrillic.
  'available with a look-alike letter': at(entryWith({ status: '\u0430vailable' })),
  'available and quarantined at once': at(`${entryWith({})}status: quarantined\n`),
  'under the key __proto__': { address: '__proto__', text: entryWith({ 'address-type': 'dns' }) },
  'under a key that ends in a dot': {
    address: 'win-1.example.com.',
    text: entryWith({ 'address-type': 'dns' }),
  },
  'under a key in upper case': { address: 'WIN-1.example.com', text: entryWith({ 'address-type': 'dns' }) },
  'under a key with an underscore': {
    address: 'win_1.example.com',
    text: entryWith({ 'address-type': 'dns' }),
  },
  'a bomb of aliases': at(`${entryWith({})}note:\n${aliasBomb(30)}`),
  'an alias to itself': at(`${entryWith({})}note: &self [*self]\n`),
  'one value of 300,000 characters': at(entryWith({ username: 'A'.repeat(300_000) })),
  'nested 20,000 deep': at(`${entryWith({})}note: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`),
}

function at(text: string): NamedEntry {
  return { address: ADDRESS, text }
}

/** Each level holds the one before nine times: expanded, this is more than any memory. */
function aliasBomb(levels: number): string {
  const lines = Array.from({ length: levels }, (_, level) => {
    const nine = level === 0 ? Array(9).fill('lol') : Array(9).fill(`*l${level - 1}`)
    return `  l${level}: &l${level} [${nine.join(', ')}]\n`
  })
  return lines.join('')
}
