import { equal, own, setOwn } from '../json/access.ts'
import { isObject, type JsonObject, parseExact } from '../json/exact.ts'

/** An operation of a JSON patch does not fit the document; nothing of the patch is kept. */
export class JsonPatchError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'JsonPatchError'
  }
}

/** What all `copy` operations of a patch may add together, in bytes of JSON: a few of them could double a document without end. */
const COPIED_LIMIT = 3 * 1024 * 1024

/** What is done by one patch. */
interface Work {
  /** Containers that only the result has: they need not be copied again to be changed. */
  readonly owned: WeakSet<object>
  copied: number
}

/**
 * RFC 6902 as Kubernetes applies it (`replace` of a missing key of an object adds it). The document is not changed; what no operation
 * touches is shared with the result. Throws JsonPatchError.
 */
export function applyJsonPatch(document: unknown, operations: readonly unknown[]): unknown {
  const work: Work = { owned: new WeakSet(), copied: 0 }
  return operations.reduce((done, operation) => apply(work, done, operation), document)
}

function apply(work: Work, document: unknown, operation: unknown): unknown {
  if (!isObject(operation)) throw new JsonPatchError('an operation must be an object')
  const path = pointer(own(operation, 'path'), 'path')
  switch (own(operation, 'op')) {
    case 'add':
      return change(work, document, path, (container, key) =>
        add(container, key, own(operation, 'value') ?? null),
      )
    case 'remove':
      return change(work, document, path, remove)
    case 'replace':
      return change(work, document, path, (container, key) =>
        replace(container, key, own(operation, 'value') ?? null),
      )
    case 'move': {
      const from = pointer(own(operation, 'from'), 'from')
      const value = read(document, from)
      return change(work, change(work, document, from, remove), path, (container, key) =>
        add(container, key, value),
      )
    }
    case 'copy': {
      const value = copyOf(work, read(document, pointer(own(operation, 'from'), 'from')))
      return change(work, document, path, (container, key) => add(container, key, value))
    }
    case 'test':
      return test(document, path, own(operation, 'value') ?? null)
    default:
      throw new JsonPatchError(`Unexpected kind: ${String(own(operation, 'op'))}`)
  }
}

type Container = JsonObject | unknown[]

/** Copies the containers along the path and lets `edit` change the last of them. */
function change(
  work: Work,
  document: unknown,
  path: readonly string[],
  edit: (container: Container, key: string) => unknown,
): unknown {
  const [key, ...rest] = path
  if (key === undefined) return edit({ '': document }, '')
  const container = changeable(work, document, key)
  if (rest.length === 0) {
    edit(container, key)
    return container
  }
  put(container, key, change(work, child(container, key), rest, edit))
  return container
}

function changeable({ owned }: Work, value: unknown, key: string): Container {
  const found = containerAt(value, key)
  if (owned.has(found)) return found
  const copy = Array.isArray(found) ? [...found] : { ...found }
  owned.add(copy)
  return copy
}

/** A copy that shares nothing with the document: both may be changed after this. */
function copyOf(work: Work, value: unknown): unknown {
  const text = JSON.stringify(value)
  work.copied += text.length
  if (work.copied > COPIED_LIMIT) {
    throw new JsonPatchError(
      `Unable to complete the copy, the accumulated size increase of copy is ${work.copied}, exceeding the limit ${COPIED_LIMIT}`,
    )
  }
  return parseExact(text)
}

function add(container: Container, key: string, value: unknown): unknown {
  if (!Array.isArray(container)) setOwn(container, key, value)
  else container.splice(key === '-' ? container.length : index(key, container.length), 0, value)
  return value
}

function remove(container: Container, key: string): undefined {
  if (Array.isArray(container)) container.splice(index(key, container.length - 1), 1)
  else if (!Object.hasOwn(container, key))
    throw new JsonPatchError(`Unable to remove nonexistent key: ${key}`)
  else delete container[key]
}

function replace(container: Container, key: string, value: unknown): unknown {
  put(container, key, value)
  return value
}

function test(document: unknown, path: readonly string[], value: unknown): unknown {
  let found: unknown
  try {
    found = read(document, path)
  } catch {
    found = null
  }
  if (!equal(found, value)) throw new JsonPatchError('testing value failed')
  return document
}

function read(document: unknown, path: readonly string[]): unknown {
  return path.reduce((container, key) => child(containerAt(container, key), key), document)
}

function child(container: Container, key: string): unknown {
  if (Array.isArray(container)) return container[index(key, container.length - 1)]
  if (!Object.hasOwn(container, key)) throw new JsonPatchError(`missing path element ${key}`)
  return container[key]
}

function put(container: Container, key: string, value: unknown): void {
  if (Array.isArray(container)) container[index(key, container.length - 1)] = value
  else setOwn(container, key, value)
}

function containerAt(value: unknown, key: string): Container {
  if (Array.isArray(value) || isObject(value)) return value
  throw new JsonPatchError(`nothing can be at ${key}`)
}

function index(key: string, maximum: number): number {
  const negative = /^-[1-9]\d{0,8}$/.test(key)
  const at = negative ? maximum + 1 + Number(key) : /^\d{1,9}$/.test(key) ? Number(key) : Number.NaN
  if (!(at >= 0 && at <= maximum)) throw new JsonPatchError(`Unable to access invalid index: ${key}`)
  return at
}

function pointer(value: unknown, field: string): string[] {
  if (typeof value !== 'string') throw new JsonPatchError(`an operation needs a ${field}`)
  if (value === '') return []
  return value
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
