import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { MACHINE_API_GROUP, MACHINE_API_VERSION } from '../../src/contract/names.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import { waitFor } from '../../src/kube/wait-for.ts'
import { ensureInstalled, standInLabels } from './ensure.ts'

const DEFINITIONS = collectionPath('apiextensions.k8s.io/v1', 'customresourcedefinitions')

interface Definition extends KubernetesObject {
  status?: { conditions?: { type: string; status: string }[] }
}

/** Installs MachineSet and Machine where nobody has, and waits until they are served. */
export async function installMachineCrds(client: KubeClient, signal: AbortSignal): Promise<void> {
  const definitions = machineDefinitions()
  for (const wanted of definitions) await ensureInstalled(client, DEFINITIONS, wanted, signal)
  const names = definitions.map(({ metadata }) => metadata?.name)
  await waitFor<Definition, boolean>(client, {
    for: `${names.join(' and ')} to be served`,
    path: DEFINITIONS,
    until: (found) =>
      names.every((name) => found.some((one) => one.metadata?.name === name && isEstablished(one))),
    limitMs: 30_000,
    signal,
  })
}

/** What makes a cluster serve MachineSet and Machine. */
export function machineDefinitions(): KubernetesObject[] {
  return [definition('Machine', MACHINE_STATUS), definition('MachineSet', MACHINE_SET_STATUS)]
}

function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false
}

const TEXT = { type: 'string' }
const NUMBER = { type: 'integer', format: 'int32' }
/** Provider settings and the like, which are the cloud's business. */
const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** The parts of the status that setBYOH and the stand-ins speak about; the rest is kept as it comes. */
const MACHINE_STATUS = {
  ...ANYTHING,
  properties: {
    addresses: {
      type: 'array',
      items: { type: 'object', required: ['type', 'address'], properties: { type: TEXT, address: TEXT } },
    },
    nodeRef: { ...ANYTHING, properties: { kind: TEXT, name: TEXT, uid: TEXT } },
    phase: TEXT,
    errorReason: TEXT,
    errorMessage: TEXT,
    lastUpdated: { type: 'string', format: 'date-time' },
  },
}

const MACHINE_SET_STATUS = {
  ...ANYTHING,
  properties: {
    replicas: NUMBER,
    readyReplicas: NUMBER,
    availableReplicas: NUMBER,
    fullyLabeledReplicas: NUMBER,
    observedGeneration: { type: 'integer', format: 'int64' },
  },
}

const SPECS: Readonly<Record<string, object>> = {
  Machine: { ...ANYTHING, properties: { providerID: TEXT, providerSpec: ANYTHING } },
  MachineSet: {
    ...ANYTHING,
    properties: {
      replicas: { ...NUMBER, default: 1 },
      selector: ANYTHING,
      template: { ...ANYTHING, properties: { metadata: ANYTHING, spec: ANYTHING } },
    },
  },
}

function definition(kind: string, status: object): KubernetesObject {
  const singular = kind.toLowerCase()
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${MACHINE_API_GROUP}`, labels: standInLabels('machine-controller') },
    spec: {
      group: MACHINE_API_GROUP,
      names: { kind, listKind: `${kind}List`, plural: `${singular}s`, singular },
      scope: 'Namespaced',
      versions: [
        {
          name: MACHINE_API_VERSION,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: SPECS[kind], status } },
          },
        },
      ],
    },
  }
}
