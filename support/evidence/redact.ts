import type { KubernetesObject } from '../../src/contract/kubernetes.ts'

const HIDDEN = '[redacted]'
const known = new Set<string>()

/** From now on this very text is hidden wherever it appears, also in base64: what a kubeconfig or a Secret holds. */
export function rememberSecret(value: string): void {
  // Shorter ones would blot out innocent words.
  if (value.length < 8) return
  known.add(value)
  const encoded = Buffer.from(value).toString('base64')
  known.add(encoded).add(encoded.replace(/=+$/, ''))
}

/**
 * The one door through which text enters a report: known secrets and whatever looks like a credential are
 * replaced, whoever put them there. It errs on the side of hiding.
 */
export function redact(text: string): string {
  let hidden = text
  for (const secret of known) hidden = hidden.replaceAll(secret, HIDDEN)
  for (const [pattern, replacement] of PATTERNS) hidden = hidden.replace(pattern, replacement)
  return hidden
}

/** The object as it may be shown: a Secret keeps its keys and loses their values. */
export function withoutSecretData<T extends KubernetesObject>(object: T): T {
  if (object.kind !== 'Secret') return object
  const hide = (data: unknown): unknown =>
    typeof data === 'object' && data !== null
      ? Object.fromEntries(Object.keys(data).map((key) => [key, HIDDEN]))
      : data
  return { ...object, data: hide(object.data), stringData: hide(object.stringData) }
}

/** Each needs the name of a field, or a shape that nothing else has; names stay, values go. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // PEM blocks, cut-off ones too, and those whose line ends are escaped in JSON.
  [/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(-----END \1-----|$)/g, HIDDEN],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{8,}/gi, `$1 ${HIDDEN}`],
  // JSON Web Tokens, as service accounts have them.
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, HIDDEN],
  // Fields of kubeconfigs and of credentials in general, in YAML and in JSON.
  [
    /\b((?:client-key-data|client-certificate-data|id-token|refresh-token|access[-_]?token|token|password|passphrase|secret[-_]?key|private[-_]?key)["']?\s*[:=]\s*)("(?:[^"\\]|\\.)+"|'[^']+'|[^\s"',}]+)/gi,
    `$1${HIDDEN}`,
  ],
]
