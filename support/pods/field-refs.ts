import { RUN_LABEL } from '../../src/contract/names.ts'
import type { Pod } from './pod.ts'
import type { PodRequest } from './pod-template.ts'

/** What a container can learn of its pod, in the words of features. */
interface FieldRef {
  readonly fieldPath: string
  /** The same, as the API tells it. */
  readonly of: (pod: Pod) => string | undefined
}

const FIELD_REFS: Readonly<Record<string, FieldRef>> = {
  name: { fieldPath: 'metadata.name', of: ({ metadata }) => metadata?.name },
  namespace: { fieldPath: 'metadata.namespace', of: ({ metadata }) => metadata?.namespace },
  uid: { fieldPath: 'metadata.uid', of: ({ metadata }) => metadata?.uid },
  'label of the run': {
    fieldPath: `metadata.labels['${RUN_LABEL}']`,
    of: ({ metadata }) => metadata?.labels?.[RUN_LABEL],
  },
  node: { fieldPath: 'spec.nodeName', of: ({ spec }) => spec?.nodeName },
  'service account': { fieldPath: 'spec.serviceAccountName', of: ({ spec }) => spec?.serviceAccountName },
}

/** Whether that address is the container's own is for the container to say: nobody else can. */
const ADDRESS = 'POD_ADDRESS'
export const OWN_ADDRESS = 'address is its own'

/** A pod that says what it has learnt, a line for each field, and whether its address is its own. */
export function learningPod(): PodRequest {
  const words = Object.keys(FIELD_REFS)
  const learn = (name: string, fieldPath: string): object => ({
    name,
    valueFrom: { fieldRef: { fieldPath } },
  })
  return {
    does: [...words.map((word) => `env:${variable(word)}`), `own:${ADDRESS}`, `say:${OWN_ADDRESS}`, 'stay:'],
    container: {
      env: [
        ...words.map((word) => learn(variable(word), fieldRef(word).fieldPath)),
        learn(ADDRESS, 'status.podIP'),
      ],
    },
  }
}

/** What the API tells of the pod, for each word; throws for one that is not known. */
export function fieldsOf(pod: Pod, words: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(words.map((word) => [word, fieldRef(word).of(pod)]))
}

/** What the pod said that it had learnt, for each word. */
export function learnt(
  lines: readonly { readonly text: string }[],
  words: readonly string[],
): Record<string, string | undefined> {
  const all = Object.keys(FIELD_REFS)
  return Object.fromEntries(words.map((word) => [word, lines[all.indexOf(word)]?.text]))
}

/** Of what a learning pod says: each field, then its address. */
export const LEARNT_LINES = Object.keys(FIELD_REFS).length + 1

function fieldRef(word: string): FieldRef {
  const ref = FIELD_REFS[word]
  if (!ref) throw new Error(`no field is called "${word}": ${Object.keys(FIELD_REFS).join(', ')}`)
  return ref
}

function variable(word: string): string {
  return `LEARNT_${word.toUpperCase().replaceAll(' ', '_')}`
}
