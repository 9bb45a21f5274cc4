/**
 * Rewrites kubernetes.json beside it from the Go sources of Kubernetes (k8s.io/api, apimachinery and apiextensions-apiserver, all of
 * one version), given as one folder of a Go module cache: `node generate.ts FOLDER VERSION`. What is taken are the facts a decoder
 * needs: field names in their order, types, whether a zero value is written, and the keys lists are merged by.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, version] = process.argv.slice(2)
if (folder === undefined || version === undefined) throw new Error('usage: node generate.ts FOLDER VERSION')

/** Package prefix in kubernetes.json → the file that declares its types. */
const SOURCES: Record<string, string[]> = {
  meta: [`apimachinery@${version}/pkg/apis/meta/v1/types.go`],
  core: [`api@${version}/core/v1/types.go`],
  apps: [`api@${version}/apps/v1/types.go`],
  coordination: [`api@${version}/coordination/v1/types.go`],
  events: [`api@${version}/events/v1/types.go`],
  apiextensions: [
    `apiextensions-apiserver@${version}/pkg/apis/apiextensions/v1/types.go`,
    `apiextensions-apiserver@${version}/pkg/apis/apiextensions/v1/types_jsonschema.go`,
  ],
}

const ROOTS = [
  'core.ConfigMap',
  'core.Secret',
  'core.Namespace',
  'core.Node',
  'core.Event',
  'core.ServiceAccount',
  'apps.Deployment',
  'coordination.Lease',
  'events.Event',
  'apiextensions.CustomResourceDefinition',
  'meta.DeleteOptions',
  'meta.PartialObjectMetadata',
]

/** Go packages as the sources import them → our prefixes. */
const IMPORTS: Record<string, string> = {
  metav1: 'meta',
  v1: 'core',
  corev1: 'core',
  apiextensions: 'apiextensions',
}

/** Types whose JSON form is not that of their fields. */
const SPECIAL: Record<string, string> = {
  'resource.Quantity': 'Quantity',
  'intstr.IntOrString': 'IntOrString',
  'runtime.RawExtension': 'Raw',
  'types.UID': 'string',
  'types.NodeName': 'string',
  'meta.Time': 'Time',
  'meta.MicroTime': 'MicroTime',
  'meta.Duration': 'Duration',
  'meta.FieldsV1': 'Raw',
  'apiextensions.JSON': 'Raw',
  'apiextensions.JSONSchemaPropsOrBool': 'SchemaOrBool',
  'apiextensions.JSONSchemaPropsOrArray': 'SchemaOrArray',
  'apiextensions.JSONSchemaPropsOrStringArray': 'SchemaOrStrings',
}

const PRIMITIVES = new Set(['string', 'bool', 'int32', 'int64', 'float64', 'uint32', 'uint64', '[]byte'])

interface Field {
  type: string
  mergeKey?: string
  strategy?: string
}

const structs = new Map<string, ([string, Field] | string)[]>()
const aliases = new Map<string, string>()

for (const [prefix, files] of Object.entries(SOURCES)) for (const file of files) read(prefix, file)

const output: Record<string, Record<string, string | Field>> = {}
const pending = [...ROOTS]
for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
  if (output[next] !== undefined) continue
  const fields: Record<string, string | Field> = {}
  collect(next, fields)
  output[next] = fields
}
const lines = Object.keys(output)
  .sort()
  .map((name) => `  ${JSON.stringify(name)}: ${JSON.stringify(output[name])}`)
writeFileSync(join(import.meta.dirname, 'kubernetes.json'), `{\n${lines.join(',\n')}\n}\n`)

function collect(name: string, into: Record<string, string | Field>): void {
  const struct = structs.get(name)
  if (struct === undefined) throw new Error(`no struct ${name}`)
  for (const member of struct) {
    if (typeof member === 'string') {
      collect(member, into)
      continue
    }
    const [json, field] = member
    if (field.type.includes('unknown:')) throw new Error(`${name}.${json}: ${field.type}`)
    into[json] = field.mergeKey === undefined && field.strategy === undefined ? field.type : field
    for (const reference of field.type.match(/[a-z]+\.[A-Z]\w*/g) ?? []) pending.push(reference)
    if (field.type.includes('SchemaOr')) pending.push('apiextensions.JSONSchemaProps')
  }
}

function read(prefix: string, file: string): void {
  const source = readFileSync(join(folder as string, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  for (const [, name, type] of source.matchAll(/^type (\w+) ((?:map\[\w+\]|\[\])?[\w.]+)\s*$/gm)) {
    if (type !== 'struct' && type !== 'interface') aliases.set(`${prefix}.${name}`, `${prefix}|${type}`)
  }
  for (const [, name, body] of source.matchAll(/^type (\w+) struct ?\{(?:\}|\n([\s\S]*?)^\})/gm)) {
    const members: ([string, Field] | string)[] = []
    for (const line of (body ?? '').split('\n')) {
      const parts = /^\t(?:\w+\s+)?(\S+)\s+`([^`]*)`/.exec(line)
      if (parts === null) continue
      const [, type, tag] = parts as unknown as [string, string, string]
      const json = /json:"([^"]*)"/.exec(tag)?.[1]
      if (json === undefined || json === '-') continue
      const [key, ...options] = json.split(',')
      if (key === '') {
        members.push(resolve(prefix, type))
        continue
      }
      const suffix = options.includes('omitzero') ? '!' : options.includes('omitempty') ? '?' : ''
      const field: Field = { type: resolve(prefix, type) + suffix }
      const mergeKey = /patchMergeKey:"([^"]*)"/.exec(tag)?.[1]
      const strategy = /patchStrategy:"([^"]*)"/.exec(tag)?.[1]
      if (mergeKey !== undefined) field.mergeKey = mergeKey
      if (strategy !== undefined) field.strategy = strategy
      members.push([key as string, field])
    }
    structs.set(`${prefix}.${name}`, members)
  }
}

function resolve(prefix: string, type: string): string {
  if (PRIMITIVES.has(type)) return type
  if (type.startsWith('*')) return `*${resolve(prefix, type.slice(1))}`
  if (type.startsWith('[]')) return `[]${resolve(prefix, type.slice(2))}`
  const map = /^map\[([\w.]+)\](.*)$/.exec(type)
  if (map !== null) return `map ${resolve(prefix, map[2] as string)}`
  const dot = type.indexOf('.')
  const own = IMPORTS[type.slice(0, dot)]
  const name = dot === -1 ? `${prefix}.${type}` : own === undefined ? type : `${own}.${type.slice(dot + 1)}`
  if (SPECIAL[name] !== undefined) return SPECIAL[name]
  const alias = aliases.get(name)
  if (alias !== undefined) {
    const [at, to] = alias.split('|') as [string, string]
    return resolve(at, to)
  }
  return /^[a-z]+\.[A-Z]\w*$/.test(name) ? name : `unknown:${name}`
}
