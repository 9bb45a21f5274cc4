import { type KubeObject, withMeta } from '../registry/kube-object.ts'

/** One object at one revision. Immutable; its JSON is made once and shared by reads, lists and watches. */
export class Stored {
  readonly key: string
  readonly object: KubeObject
  readonly revision: number
  #bytes: Buffer | undefined
  #weight = 1024

  constructor(key: string, object: KubeObject, revision: number) {
    this.key = key
    this.object = withMeta(object, { resourceVersion: String(revision) })
    this.revision = revision
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(JSON.stringify(this.object))
    return this.#bytes
  }

  /** What keeping this revision costs, roughly, in bytes. */
  get weight(): number {
    return this.#weight
  }

  /** Lets go of the JSON of a revision that is no longer the current one; it is made again for whoever still asks. */
  supersede(): void {
    this.#weight = this.#bytes?.length ?? this.#weight
    this.#bytes = undefined
  }
}

/** A name is unique within its collection and namespace; keys sort as etcd's do. */
export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`
}
