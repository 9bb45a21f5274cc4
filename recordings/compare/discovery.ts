import { isObject, type Json, type JsonObject } from '../exact-json.ts'
import { isBuiltInGroup, servedFromTheStart } from '../scope/resources.ts'

/**
 * In discovery what a server doesn't serve is not compared, but what it serves must be equal, and what every Poolwright cluster
 * has must be there. Answers both sides with the rest taken out.
 */
export function alignDiscovery(expected: Json, found: Json): readonly [Json, Json] {
  if (!isObject(expected) || !isObject(found) || expected.kind !== found.kind) return [expected, found]
  if (expected.kind === 'APIResourceList') return [onlyServedResources(expected, found), found]
  if (expected.kind === 'APIGroupList') return [onlyServedGroups(expected, found), withoutCustomGroups(found)]
  return [expected, found]
}

function onlyServedResources(expected: JsonObject, found: JsonObject): Json {
  const groupVersion = String(expected.groupVersion)
  const group = groupVersion.includes('/') ? groupVersion.replace(/\/.*/, '') : ''
  if (!isBuiltInGroup(group)) return expected
  return only(
    expected,
    'resources',
    (name) => names(found.resources).has(name) || servedFromTheStart(group, name),
  )
}

function onlyServedGroups(expected: JsonObject, found: JsonObject): Json {
  return only(expected, 'groups', (name) => names(found.groups).has(name) || servedFromTheStart(name))
}

/** Definitions that others have installed say nothing about the server. */
function withoutCustomGroups(found: JsonObject): Json {
  return only(found, 'groups', isBuiltInGroup)
}

function only(list: JsonObject, field: string, keep: (name: string) => boolean): Json {
  const items = list[field]
  if (!Array.isArray(items)) return list
  return { ...list, [field]: items.filter((item) => isObject(item) && keep(String(item.name))) }
}

function names(items: Json | undefined): Set<string> {
  if (!Array.isArray(items)) return new Set()
  return new Set(items.map((item) => (isObject(item) ? String(item.name) : '')))
}
