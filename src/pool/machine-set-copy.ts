import { createHash } from 'node:crypto'
import {
  FALLBACK_TEST_ID_ANNOTATION,
  MACHINE_API_GROUP,
  MACHINE_API_NAMESPACE,
  MACHINE_API_VERSION,
  MACHINE_SET_LABEL,
} from '../contract/names.ts'
import type { MachineSet } from './machine-api.ts'

/**
 * Stable for a test id, so that asking again finds it. Nine characters: with a Machine's suffix it must fit the fifteen
 * of a Windows computer name.
 */
export function machineSetName(testId: string): string {
  return `w${createHash('sha256').update(testId).digest('hex').slice(0, 8)}`
}

/** A copy of the template for one test: what makes a Machine is kept, what counts or scales others is not. */
export function copyForTest(template: MachineSet, testId: string): MachineSet {
  const name = machineSetName(testId)
  const { metadata, spec } = template.spec?.template ?? {}
  const annotations = { [FALLBACK_TEST_ID_ANNOTATION]: testId }
  return {
    apiVersion: `${MACHINE_API_GROUP}/${MACHINE_API_VERSION}`,
    kind: 'MachineSet',
    metadata: {
      name,
      namespace: MACHINE_API_NAMESPACE,
      annotations,
      ...(template.metadata?.labels && { labels: template.metadata.labels }),
    },
    spec: {
      replicas: 1,
      selector: { matchLabels: { ...template.spec?.selector?.matchLabels, [MACHINE_SET_LABEL]: name } },
      template: {
        metadata: {
          labels: { ...template.spec?.selector?.matchLabels, ...metadata?.labels, [MACHINE_SET_LABEL]: name },
          // On the Machine as well: it outlives its MachineSet.
          annotations: { ...metadata?.annotations, ...annotations },
        },
        ...(spec && { spec }),
      },
    } as NonNullable<MachineSet['spec']>,
  }
}
