import { readFileSync } from 'node:fs'

/** How one field of a Go struct is written as JSON. */
export interface Field {
  readonly type: TypeRef
  /** A zero value is left out (`omitempty`), of structs and times too (`omitzero`). */
  readonly omit: 'never' | 'empty' | 'zero'
  /** Strategic merge: lists of objects are merged by this key. */
  readonly mergeKey?: string
  readonly merge: boolean
  readonly retainKeys: boolean
}

/** A Go type as far as JSON can tell. */
export type TypeRef =
  | { readonly of: 'pointer'; readonly to: TypeRef }
  | { readonly of: 'list'; readonly items: TypeRef }
  | { readonly of: 'map'; readonly values: TypeRef }
  | { readonly of: 'struct'; readonly name: string }
  | { readonly of: 'scalar'; readonly name: Scalar }

export type Scalar =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | '[]byte'
  | 'Time'
  | 'MicroTime'
  | 'Duration'
  | 'Quantity'
  | 'IntOrString'
  | 'Raw'
  | 'SchemaOrBool'
  | 'SchemaOrArray'
  | 'SchemaOrStrings'

type Declared = string | { type: string; mergeKey?: string; strategy?: string }

let declarations: Record<string, Record<string, Declared>> | undefined
const structs = new Map<string, ReadonlyMap<string, Field>>()

/** The fields of a struct of Kubernetes, such as `core.ConfigMap`, in their order; read from kubernetes.json when first asked for. */
export function structFields(name: string): ReadonlyMap<string, Field> {
  const known = structs.get(name)
  if (known !== undefined) return known
  declarations ??= JSON.parse(
    readFileSync(new URL('kubernetes.json', import.meta.url), 'utf8'),
  ) as NonNullable<typeof declarations>
  const declared = declarations[name]
  if (declared === undefined) throw new Error(`kubernetes.json has no ${name}`)
  const fields = new Map(Object.entries(declared).map(([key, value]) => [key, parseField(value)]))
  structs.set(name, fields)
  return fields
}

function parseField(declared: Declared): Field {
  const { type, mergeKey, strategy } = typeof declared === 'string' ? { type: declared } : declared
  const options = (strategy ?? '').split(',')
  return {
    type: parseType(type.replace(/[?!]$/, '')),
    omit: type.endsWith('!') ? 'zero' : type.endsWith('?') ? 'empty' : 'never',
    ...(mergeKey === undefined ? {} : { mergeKey }),
    merge: options.includes('merge'),
    retainKeys: options.includes('retainKeys'),
  }
}

function parseType(text: string): TypeRef {
  if (text.startsWith('*')) return { of: 'pointer', to: parseType(text.slice(1)) }
  if (text.startsWith('map ')) return { of: 'map', values: parseType(text.slice(4)) }
  if (text !== '[]byte' && text.startsWith('[]')) return { of: 'list', items: parseType(text.slice(2)) }
  return /^[a-z]+\./.test(text) ? { of: 'struct', name: text } : { of: 'scalar', name: text as Scalar }
}
