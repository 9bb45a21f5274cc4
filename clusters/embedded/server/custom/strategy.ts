import { equal } from '../json/access.ts'
import { type KubeObject, withMeta } from '../registry/kube-object.ts'
import type { Strategy } from '../registry/resource.ts'
import { strategy, withPart } from '../strategies/strategy.ts'
import { subdomain } from '../validation/names.ts'
import type { Schema } from './schema.ts'
import { validateValue } from './validate.ts'

/** How objects of one version of a custom resource behave. */
export function customStrategy(
  schema: Schema | undefined,
  hasStatus: boolean,
  warnings: readonly string[],
): Strategy {
  const validate = (object: KubeObject) => (schema === undefined ? [] : validateValue(object, schema))
  return strategy({
    checkName: (name) => subdomain(name),
    unconditionalUpdate: false,
    prepareForCreate: (object) => {
      const initial = hasStatus ? withPart(object, 'status', undefined) : object
      return withMeta(initial, { generation: 1 })
    },
    prepareForUpdate: (next, previous, subresource) => {
      if (subresource === 'status') {
        return withPart(
          withMeta(previous, { resourceVersion: next.metadata.resourceVersion }),
          'status',
          next.status,
        )
      }
      const kept = hasStatus ? withPart(next, 'status', previous.status) : next
      const generation = previous.metadata.generation ?? 0
      return withMeta(kept, {
        generation: equal(content(kept), content(previous)) ? generation : generation + 1,
      })
    },
    validate,
    validateUpdate: validate,
    warnings: () => warnings,
  })

  /** What the generation counts changes of: everything but metadata and a status of its own. */
  function content(object: KubeObject): object {
    const { metadata: _metadata, ...rest } = object
    if (!hasStatus) return rest
    const { status: _status, ...wanted } = rest as { status?: unknown }
    return wanted
  }
}
