import { isObject, type Json } from '../exact-json.ts'
import { requestsOf, type Vector, type VectorRequest } from '../vector.ts'
import { requestResource } from './request-resource.ts'
import { isBuiltInGroup, servedFromTheStart } from './resources.ts'

/** Why a vector is not for this storey of the embedded cluster; undefined where it is. The first reason wins. */
export function laterReason(family: string, category: string, vector: Vector): string | undefined {
  for (const check of CHECKS) {
    const reason = check(family, category, vector)
    if (reason !== undefined) return reason
  }
  return undefined
}

type Check = (family: string, category: string, vector: Vector) => string | undefined

const LATER_CATEGORIES: Readonly<Record<string, string>> = {
  'quota-and-limits': 'quotas and limit ranges',
  'rbac-and-auth': 'authorization and token requests',
  subresources: 'subresources of pods and workloads',
}

const LATER_VECTORS: Readonly<Record<string, string>> = {
  'ns-delete': 'conditions of a namespace that is being deleted',
}

const CHECKS: readonly Check[] = [
  (family) => (family === 'api' ? undefined : `recordings of the family ${family} can't be replayed yet`),
  (_, category) => LATER_CATEGORIES[category],
  (_, __, { name }) => LATER_VECTORS[name],
  (_, category, vector) =>
    category === 'finalizers-and-gc' && bodiesHave(vector, 'ownerReferences')
      ? 'garbage collection'
      : undefined,
  (_, __, vector) => (requests(vector).some(isServerSideApply) ? 'server-side apply' : undefined),
  (_, __, vector) => (bodiesHave(vector, 'x-kubernetes-validations') ? 'CEL' : undefined),
  (_, __, vector) =>
    vector.steps.some(diagnosesSchema) ? 'diagnostics of a definition’s schema' : undefined,
  (_, __, vector) => (definitions(vector).some(hasScale) ? 'scale of custom resources' : undefined),
  (_, __, vector) => otherResources(vector),
]

function requests(vector: Vector): readonly VectorRequest[] {
  return vector.steps.flatMap(requestsOf)
}

function isServerSideApply({ headers }: VectorRequest): boolean {
  return Object.values(headers ?? {}).some((value) => value.includes('apply-patch'))
}

function bodiesHave(vector: Vector, key: string): boolean {
  return requests(vector).some(({ body }) => hasKey(body, key))
}

function hasKey(value: Json | undefined, key: string): boolean {
  if (Array.isArray(value)) return value.some((item) => hasKey(item, key))
  return isObject(value) && Object.entries(value).some(([name, item]) => name === key || hasKey(item, key))
}

/** A definition refused for what its schema says. */
function diagnosesSchema(step: Vector['steps'][number]): boolean {
  if (!('method' in step) || requestResource(step.path)?.resource !== 'customresourcedefinitions')
    return false
  const { body } = step.expect
  const details = isObject(body) ? body.details : undefined
  const causes = isObject(details) && Array.isArray(details.causes) ? details.causes : []
  return causes.some((cause) => isObject(cause) && /openAPIV3Schema/.test(String(cause.field)))
}

function definitions(vector: Vector): readonly Json[] {
  const written = requests(vector).filter(
    ({ path }) => requestResource(path)?.resource === 'customresourcedefinitions',
  )
  return written.flatMap(({ body }) => (body === undefined ? [] : [body]))
}

function hasScale(definition: Json): boolean {
  if (Array.isArray(definition)) return definition.some(hasScale)
  if (!isObject(definition)) return false
  return Object.entries(definition).some(
    ([key, value]) =>
      (key === 'subresources' && isObject(value) && Object.hasOwn(value, 'scale')) || hasScale(value),
  )
}

/** Subresources that show the object itself, not another kind. */
const OF_THE_SAME_KIND = [undefined, 'status', 'finalize']

function otherResources(vector: Vector): string | undefined {
  const others = new Set<string>()
  for (const { path } of requests(vector)) {
    const named = requestResource(path)
    if (named === undefined || !isBuiltInGroup(named.group)) continue
    const { group, resource, subresource } = named
    const name = `${resource}${group && `.${group}`}`
    if (!servedFromTheStart(group, resource)) others.add(name)
    else if (!OF_THE_SAME_KIND.includes(subresource)) others.add(`${name}/${subresource}`)
  }
  return others.size === 0 ? undefined : `resources not served yet: ${[...others].sort().join(', ')}`
}
