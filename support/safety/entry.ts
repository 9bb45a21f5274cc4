import { type Holder, parseHolder } from './holder.ts'

/** One change that a scenario made, or was about to make, and all that is needed to take it back. */
export interface JournalEntry {
  readonly version: 1
  readonly run: string
  readonly scenario: string
  /** RFC 3339. */
  readonly at: string
  readonly holder: Holder
  readonly target: Target
  readonly change: Change
}

/** A Node or another cluster-scoped object. */
export interface Target {
  /** On the server: `/api/v1/nodes/worker-1`. */
  readonly path: string
  readonly kind: string
  readonly name: string
  /** Empty for what was yet to be made. */
  readonly uid: string
}

export type Change =
  /** Ours are known by their value; theirs are kept whole, timeAdded too. */
  | { readonly kind: 'taints'; readonly added: readonly Taint[]; readonly removed: readonly Taint[] }
  | { readonly kind: 'fields'; readonly fields: readonly FieldChange[] }
  | { readonly kind: 'created' }
  | { readonly kind: 'node-operation'; readonly operation: 'stop-kubelet' | 'kill' }

export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: string
  readonly timeAdded?: string
}

/** One leaf of an object. */
export interface FieldChange {
  /** JSON pointer through maps alone: a list is a leaf. */
  readonly pointer: string
  readonly before: FieldValue
  /** What the run has put there; more than one while a write is under way. */
  readonly ours: readonly FieldValue[]
  /** The topmost map that was made for it; it goes with it when it is empty. */
  readonly made?: string
}

/** Without a value: the field is absent. */
export interface FieldValue {
  readonly value?: unknown
}

/** What somebody left in the journal is no entry; the message says why. */
export class EntryError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'EntryError'
  }
}

export function printEntry(entry: JournalEntry): string {
  return JSON.stringify(entry)
}

const LARGEST_TEXT = 900_000
const MOST_PARTS = 1_000
/** `/api/v1/nodes/NAME` or `/apis/GROUP/VERSION/PLURAL/NAME`: nothing within a namespace, no subresource, no query. */
const CLUSTER_SCOPED = /^\/(?:api\/v1|apis\/[a-z0-9.-]+\/v[a-z0-9]+)\/[a-z][a-z0-9]*\/[A-Za-z0-9.:_-]+$/
const NODE = /^\/api\/v1\/nodes\/[a-z0-9.-]+$/

/** Reads what anybody who may write ConfigMaps could have written. Throws EntryError. */
export function parseEntry(text: unknown): JournalEntry {
  if (typeof text !== 'string') throw new EntryError('it has no data.entry')
  if (text.length > LARGEST_TEXT) throw new EntryError('it is too large')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new EntryError('it is not JSON')
  }
  const entry = record(value, 'the entry')
  if (entry.version !== 1) throw new EntryError(`version ${JSON.stringify(entry.version)} is not known here`)
  const holder = parseHolder(entry.holder)
  if (!holder) throw new EntryError('its holder is none')
  const target = parseTarget(entry.target)
  return {
    version: 1,
    run: text253(entry.run, 'run'),
    scenario: text253(entry.scenario, 'scenario'),
    at: text253(entry.at, 'at'),
    holder,
    target,
    change: parseChange(entry.change, target),
  }
}

/** Whether the path is one of a Node. */
function isNodePath(path: string): boolean {
  return NODE.test(path)
}

/** Whether the path is one of an object that is in no namespace. */
export function isClusterScopedPath(path: string): boolean {
  return CLUSTER_SCOPED.test(path) && !/\/\.\.?$/.test(path)
}

function parseTarget(value: unknown): Target {
  const target = record(value, 'target')
  const path = text253(target.path, 'target.path', 1_000)
  if (!isClusterScopedPath(path)) throw new EntryError('target.path names no cluster-scoped object')
  const name = text253(target.name, 'target.name')
  if (!path.endsWith(`/${name}`)) throw new EntryError('target.name is not that of target.path')
  return { path, kind: text253(target.kind, 'target.kind'), name, uid: text253(target.uid, 'target.uid') }
}

function parseChange(value: unknown, { path }: Target): Change {
  const change = record(value, 'change')
  switch (change.kind) {
    case 'taints':
      if (!isNodePath(path)) throw new EntryError('only a Node has taints')
      return {
        kind: 'taints',
        added: parts(change.added, 'added').map(parseTaint),
        removed: parts(change.removed, 'removed').map(parseTaint),
      }
    case 'fields':
      return { kind: 'fields', fields: parts(change.fields, 'fields').map(parseField) }
    case 'created':
      return { kind: 'created' }
    case 'node-operation': {
      if (!isNodePath(path)) throw new EntryError('only a Node can be operated on')
      const { operation } = change
      if (operation !== 'stop-kubelet' && operation !== 'kill')
        throw new EntryError('its node operation is not known here')
      return { kind: 'node-operation', operation }
    }
    default:
      throw new EntryError(`change ${JSON.stringify(change.kind)} is not known here`)
  }
}

function parseTaint(value: unknown): Taint {
  const taint = record(value, 'a taint')
  return {
    key: text253(taint.key, 'a taint’s key', 400),
    effect: text253(taint.effect, 'a taint’s effect'),
    ...(taint.value !== undefined && { value: text253(taint.value, 'a taint’s value') }),
    ...(taint.timeAdded !== undefined && { timeAdded: text253(taint.timeAdded, 'a taint’s timeAdded') }),
  }
}

function parseField(value: unknown): FieldChange {
  const field = record(value, 'a field')
  const pointer = parsePointer(field.pointer)
  const made = field.made === undefined ? undefined : parsePointer(field.made)
  if (made !== undefined && !pointer.startsWith(`${made}/`))
    throw new EntryError('a map that was made for a field is not above it')
  return {
    pointer,
    before: parseValue(field.before),
    ours: parts(field.ours, 'ours').map(parseValue),
    ...(made !== undefined && { made }),
  }
}

function parsePointer(value: unknown): string {
  const pointer = text253(value, 'a pointer', 2_000)
  if (!/^(?:\/(?:[^~/]|~[01])+)+$/.test(pointer)) throw new EntryError('a pointer is none')
  return pointer
}

function parseValue(value: unknown): FieldValue {
  const field = record(value, 'a value')
  return Object.hasOwn(field, 'value') ? { value: field.value } : {}
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new EntryError(`${what} is no object`)
}

function parts(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MOST_PARTS) throw new EntryError(`${what} is no short list`)
  return value
}

function text253(value: unknown, what: string, longest = 253): string {
  if (typeof value === 'string' && value.length <= longest) return value
  throw new EntryError(`${what} is no short text`)
}
