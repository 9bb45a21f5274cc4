import { parseDocument } from 'yaml'

/** The fields of an entry's text as plain strings: the suite's own reading, which owes the implementation nothing. */
export function fieldsOf(text: string): Record<string, string> {
  const document = parseDocument(text, { schema: 'failsafe' })
  const [problem] = document.errors
  if (problem) throw new Error(`the entry is not YAML: ${problem.message}\n${text}`)
  const fields = (document.toJS() ?? {}) as Record<string, string | null>
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? '']))
}
