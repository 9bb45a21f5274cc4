import { parseDocument } from 'yaml'

/** The fields of an entry's text as plain strings: the suite's own reading, which owes the implementation nothing. */
export function fieldsOf(text: string): Record<string, string> {
  const document = parseDocument(text, { schema: 'failsafe' })
  const [problem] = document.errors
  if (problem) throw new Error(`the entry is not YAML: ${problem.message}\n${text}`)
  const fields = (document.toJS() ?? {}) as Record<string, string | null>
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? '']))
}

/** Addresses of the entries that a test holds. */
export function addressesHeldBy(entries: Readonly<Record<string, string>>, testId: string): string[] {
  // Reading thousands of entries to find one would take longer than all else in a scenario.
  const candidates = Object.entries(entries).filter(([, text]) => text.includes(testId))
  return candidates.filter(([, text]) => fieldsOf(text)['test-id'] === testId).map(([address]) => address)
}
