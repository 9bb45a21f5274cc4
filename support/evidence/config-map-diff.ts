import { createTwoFilesPatch } from 'diff'
import type { ConfigMap } from '../../src/contract/kubernetes.ts'

/** A reader follows this many changed entries; of the rest the count is enough. */
const SHOWN_ENTRIES = 20
const SHOWN_CHARACTERS = 4_000

/**
 * What happened to a pool, as a unified diff of each entry that changed; entries that stayed as they were, byte
 * for byte, are only counted. Line ends that are not plain newlines are made visible.
 */
export function configMapDiff(before: ConfigMap | undefined, after: ConfigMap | undefined): string {
  const [old, now] = [entriesOf(before), entriesOf(after)]
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort()
  const changed = keys.filter((key) => old.get(key) !== now.get(key))
  const shown = changed.slice(0, SHOWN_ENTRIES).map((key) => entryDiff(key, old.get(key), now.get(key)))
  if (changed.length > shown.length) shown.push(`… and ${changed.length - shown.length} more entries changed`)
  return [
    `ConfigMap before: ${identity(before)}`,
    `ConfigMap after:  ${identity(after)}`,
    `${changed.length} of ${keys.length} entries changed`,
    ...shown,
  ].join('\n')
}

/** A map, since keys such as `constructor` are good addresses. */
function entriesOf(configMap: ConfigMap | undefined): Map<string, string> {
  return new Map(Object.entries(configMap?.data ?? {}))
}

function identity(configMap: ConfigMap | undefined): string {
  if (!configMap) return 'does not exist'
  const { uid, resourceVersion } = configMap.metadata ?? {}
  return `resourceVersion ${resourceVersion}, uid ${uid}; ${stateCounts(configMap)}`
}

const STATES = ['available', 'in-use', 'quarantined']
/** By the line alone: reading thousands of entries as YAML would take longer than all else in a scenario. */
const STATE = /^["' {]*status["']?: +["']?([a-z-]+)/m

function stateCounts(configMap: ConfigMap): string {
  const states = [...entriesOf(configMap).values()].map((text) => STATE.exec(text)?.[1] ?? '')
  const counts = STATES.map((state) => `${states.filter((each) => each === state).length} ${state}`)
  const others = states.filter((state) => !STATES.includes(state)).length
  return `${states.length} entries: ${counts.join(', ')}${others > 0 ? `, ${others} of no such state` : ''}`
}

function entryDiff(key: string, before: string | undefined, after: string | undefined): string {
  const name = JSON.stringify(key).slice(1, -1)
  const patch = createTwoFilesPatch(
    before === undefined ? '/dev/null' : `before/${name}`,
    after === undefined ? '/dev/null' : `after/${name}`,
    visible(before),
    visible(after),
    undefined,
    undefined,
    { context: 20 },
  )
  return patch.replace(/^=+\n/, '')
}

function visible(text = ''): string {
  const cut =
    text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)` : text
  return cut.replaceAll('\r', '␍').replaceAll('\uFEFF', '␀BOM')
}
