import { isExactNumber } from '../json/exact.ts'
import { AGE, age, NAME } from '../printing/cells.ts'
import type { Column } from '../registry/resource.ts'
import { parseJsonPath } from './json-path.ts'
import type { PrinterColumn } from './schema.ts'

/** What `kubectl get` shows of a custom resource: its name, and its declared columns or its age. */
export function customColumns(declared: readonly PrinterColumn[]): readonly Column[] {
  if (declared.length === 0) return [NAME, { ...AGE, type: 'date' }]
  return [NAME, ...declared.map(column)]
}

function column(declared: PrinterColumn): Column {
  const { name, type, format, priority, jsonPath } = declared
  const read = parseJsonPath(jsonPath)
  return {
    name,
    type,
    ...(format === undefined ? {} : { format }),
    ...(priority === undefined ? {} : { priority }),
    description:
      declared.description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    cell: (object) => cell(type, read?.(object) ?? []),
  }
}

function cell(type: string, found: readonly unknown[]): unknown {
  const [first] = found
  if (first === undefined || first === null) return null
  switch (type) {
    case 'integer':
      return isExactNumber(first) ? first : typeof first === 'number' ? Math.trunc(first) : null
    case 'number':
      return typeof first === 'number' || isExactNumber(first) ? first : null
    case 'boolean':
      return typeof first === 'boolean' ? first : null
    case 'date':
      if (typeof first !== 'string') return '<invalid>'
      return Number.isNaN(Date.parse(first)) ? '<invalid>' : age(first)
    default:
      return found.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' ')
  }
}
