import type { KubeObject } from '../registry/kube-object.ts'
import type { Resource } from '../registry/resource.ts'
import { SelectorError } from './label-lexer.ts'

export type FieldMatcher = (object: KubeObject) => boolean

/** Reads a fieldSelector and refuses fields that this resource cannot be selected by. Throws SelectorError. */
export function parseFieldSelector(row: Resource, text: string): FieldMatcher {
  const terms = splitTerms(text).map((term) => {
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term)
    if (match === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`)
    const [, field, operator, value] = match as unknown as [string, string, string, string]
    return {
      read: readerOf(row, field),
      wanted: value.replaceAll(/\\([\\,=])/g, '$1'),
      negated: operator === '!=',
    }
  })
  return (object) => terms.every(({ read, wanted, negated }) => (read(object) === wanted) !== negated)
}

function readerOf(row: Resource, field: string): (object: KubeObject) => string {
  if (field === 'metadata.name') return (object) => object.metadata.name ?? ''
  if (field === 'metadata.namespace' && (row.namespaced || Object.keys(row.selectableFields).length === 0)) {
    return (object) => object.metadata.namespace ?? ''
  }
  const reader = Object.hasOwn(row.selectableFields, field) ? row.selectableFields[field] : undefined
  if (reader !== undefined) return reader
  throw new SelectorError(
    Object.keys(row.selectableFields).length > 0 || row.custom
      ? `field label not supported: ${field}`
      : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  )
}

function splitTerms(text: string): string[] {
  const terms: string[] = []
  let term = ''
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') term += text.slice(at, ++at + 1)
    else if (text[at] === ',') {
      terms.push(term)
      term = ''
    } else term += text[at]
  }
  return [...terms, term].filter((each) => each !== '')
}
