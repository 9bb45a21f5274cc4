/** What a name may look like: each check answers with what is wrong, in the words of k8s.io/apimachinery. */
export type NameCheck = (name: string) => string[]

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const VALUE = `(${KEY})?`
const CONFIG_KEY = '[-._a-zA-Z0-9]+'

const isLabel = new RegExp(`^${LABEL}$`)
const isLabel1035 = new RegExp(`^${LABEL_1035}$`)
const isKey = new RegExp(`^${KEY}$`)
const isValue = new RegExp(`^${VALUE}$`)
const isConfigKey = new RegExp(`^${CONFIG_KEY}$`)

/** Linear where one regular expression would backtrack over a long hostile name. */
function isSubdomain(value: string): boolean {
  return value.split('.').every((part) => isLabel.test(part))
}

/** The name of most objects; in keys of labels the same rule counts in bytes. */
export const subdomain = (name: string, unit: 'characters' | 'bytes' = 'characters'): string[] => [
  ...(Buffer.byteLength(name) > 253 ? [`must be no more than 253 ${unit}`] : []),
  ...(isSubdomain(name)
    ? []
    : [
        regexError(
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
          SUBDOMAIN,
          'example.com',
        ),
      ]),
]

export const dnsLabel: NameCheck = (name) => [
  ...(Buffer.byteLength(name) > 63 ? ['must be no more than 63 characters'] : []),
  ...(isLabel.test(name)
    ? []
    : isSubdomain(name)
      ? ['must not contain dots']
      : [
          regexError(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
            LABEL,
            'my-name',
            '123-abc',
          ),
        ]),
]

export const dns1035Label: NameCheck = (name) => [
  ...(Buffer.byteLength(name) > 63 ? ['must be no more than 63 characters'] : []),
  ...(isLabel1035.test(name)
    ? []
    : [
        regexError(
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
          LABEL_1035,
          'my-name',
          'abc-123',
        ),
      ]),
]

/** A name that only has to be one segment of a path. */
export const pathSegment: NameCheck = (name) => [
  ...(name === '.' || name === '..' ? [`may not be '${name}'`] : []),
  ...['/', '%'].filter((char) => name.includes(char)).map((char) => `may not contain '${char}'`),
]

/** A label or annotation key, a finalizer, a taint key: an optional prefix and a name. */
export const qualifiedName: NameCheck = (value) => {
  const charset =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
  const parts = value.split('/')
  if (parts.length > 2) {
    return [
      `a valid label key ${regexError(charset, KEY, 'MyName', 'my.name', '123-abc')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const name = parts.at(-1) as string
  const prefix = parts.length === 2 ? (parts[0] as string) : undefined
  return [
    ...(prefix === '' ? ['prefix part must be non-empty'] : []),
    ...(prefix === undefined || prefix === ''
      ? []
      : subdomain(prefix, 'bytes').map((message) => `prefix part ${message}`)),
    ...(name === '' ? ['name part must be non-empty'] : []),
    ...(Buffer.byteLength(name) > 63 ? ['name part must be no more than 63 bytes'] : []),
    ...(isKey.test(name) ? [] : [`name part ${regexError(charset, KEY, 'MyName', 'my.name', '123-abc')}`]),
  ]
}

export const labelValue: NameCheck = (value) => [
  ...(Buffer.byteLength(value) > 63 ? ['must be no more than 63 bytes'] : []),
  ...(isValue.test(value)
    ? []
    : [
        regexError(
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
          VALUE,
          'MyValue',
          'my_value',
          '12345',
        ),
      ]),
]

/** A key of a ConfigMap or a Secret. */
export const configKey: NameCheck = (key) => [
  ...(Buffer.byteLength(key) > 253 ? ['must be no more than 253 characters'] : []),
  ...(isConfigKey.test(key)
    ? []
    : [
        regexError(
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
          CONFIG_KEY,
          'key.name',
          'KEY_NAME',
          'key-name',
        ),
      ]),
  ...(key === '.'
    ? ["must not be '.'"]
    : key === '..'
      ? ["must not be '..'"]
      : key.startsWith('..')
        ? ["must not start with '..'"]
        : []),
]

function regexError(message: string, pattern: string, ...examples: string[]): string {
  const list = examples.map((example, index) => `${index > 0 ? ' or ' : ''}'${example}', `).join('')
  return `${message} (e.g. ${list}regex used for validation is '${pattern}')`
}
