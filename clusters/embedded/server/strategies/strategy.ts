import { equal } from '../json/access.ts'
import { type KubeObject, withMeta } from '../registry/kube-object.ts'
import type { Strategy } from '../registry/resource.ts'
import { subdomain } from '../validation/names.ts'

const unchanged = (object: KubeObject): KubeObject => object

/** What holds for a kind that says nothing else. */
const ORDINARY: Strategy = {
  checkName: (name) => subdomain(name),
  createOnUpdate: false,
  unconditionalUpdate: true,
  defaults: unchanged,
  prepareForCreate: unchanged,
  prepareForUpdate: unchanged,
  validate: () => [],
  validateUpdate: () => [],
  warnings: () => [],
  admitDelete: () => {},
  deletesLater: () => false,
  prepareForDelete: unchanged,
}

export function strategy(special: Partial<Strategy>): Strategy {
  return { ...ORDINARY, ...special }
}

/** An update of the object keeps its status; one of the status keeps everything else but the metadata that controllers may set. */
export function keepingOtherHalf(next: KubeObject, previous: KubeObject, subresource: string): KubeObject {
  return subresource === 'status'
    ? withPart(next, 'spec', previous.spec)
    : withPart(next, 'status', previous.status)
}

/** The object with a top-level field replaced in place, removed when undefined. */
export function withPart(object: KubeObject, key: string, value: unknown): KubeObject {
  if (object[key] === value) return object
  const { [key]: _dropped, ...rest } = object
  if (value === undefined) return rest as KubeObject
  return (key in object ? { ...object, [key]: value } : { ...rest, [key]: value }) as KubeObject
}

/** `generation` counts the changes of what the user asks for. */
export function withGeneration(next: KubeObject, previous: KubeObject): KubeObject {
  const generation = previous.metadata.generation ?? 0
  return withMeta(next, { generation: equal(next.spec, previous.spec) ? generation : generation + 1 })
}
