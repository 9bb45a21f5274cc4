import { fileURLToPath } from 'node:url'
import type { KubernetesObject } from '../../../src/contract/kubernetes.ts'
import {
  MACHINE_API_GROUP,
  MACHINE_API_NAMESPACE,
  STAND_IN_LABEL,
  WMCO_NAMESPACE,
} from '../../../src/contract/names.ts'
import { type Bundle, bundleProgram } from '../../bundle/bundle.ts'
import { machineDefinitions } from '../../stand-ins/machine-crds.ts'
import { MACHINE_NAMESPACE, OPERATOR_NAMESPACE } from '../../stand-ins/namespaces.ts'
import { ON_CONTROL_PLANE } from './placement.ts'

const STAND_IN_NAMESPACE = 'poolwright-stand-ins'
const NAME = 'windows-stand-ins'
const RBAC = 'rbac.authorization.k8s.io'
const PROGRAM = fileURLToPath(new URL('../../stand-ins/main.ts', import.meta.url))

export function bundleStandIns(): Promise<Bundle> {
  return bundleProgram(NAME, PROGRAM)
}

/** The Windows stand-ins as a pod: the program in a ConfigMap, run by any image that has Node 20 or newer. */
export function standInManifests(bundle: Bundle, image: string): KubernetesObject[] {
  const metadata = { name: NAME, namespace: STAND_IN_NAMESPACE, labels: LABELS }
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: STAND_IN_NAMESPACE, labels: LABELS } },
    // Made here: a right to create these can't be given for one name alone.
    OPERATOR_NAMESPACE,
    MACHINE_NAMESPACE,
    ...machineDefinitions(),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    ...grant(CLUSTER_RULES),
    ...Object.entries(RULES).flatMap(([namespace, rules]) => grant(rules, namespace)),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, name: bundle.name },
      immutable: true,
      data: { 'program.mjs': bundle.code },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 1,
        // Two of them would undo each other's work for as long as both run.
        strategy: { type: 'Recreate' },
        selector: { matchLabels: { app: NAME } },
        template: {
          metadata: { labels: { app: NAME, ...LABELS } },
          spec: {
            ...ON_CONTROL_PLANE,
            serviceAccountName: NAME,
            terminationGracePeriodSeconds: 2,
            containers: [
              {
                name: 'stand-ins',
                image,
                imagePullPolicy: 'IfNotPresent',
                command: ['node', '/program/program.mjs', '--ready-file', READY_FILE, '--image', image],
                // Of the start alone: a process in a container every second is a burden.
                startupProbe: {
                  exec: { command: ['test', '-e', READY_FILE] },
                  periodSeconds: 1,
                  failureThreshold: 120,
                },
                resources: { requests: { cpu: '20m', memory: '64Mi' } },
                securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
                volumeMounts: [{ name: 'program', mountPath: '/program', readOnly: true }],
              },
            ],
            volumes: [{ name: 'program', configMap: { name: bundle.name } }],
          },
        },
      },
    },
  ]
}

/** In the container's own layer, which a restart begins anew: a volume would still have it. */
const READY_FILE = '/run/ready'

const LABELS = { [STAND_IN_LABEL]: NAME }

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

const FOLLOW = ['list', 'watch']

/** Of what belongs to no namespace, and nothing else: the Nodes of Windows hosts are theirs to make. */
const CLUSTER_RULES: readonly Rule[] = [
  {
    apiGroups: [''],
    resources: ['namespaces'],
    resourceNames: [WMCO_NAMESPACE, MACHINE_API_NAMESPACE],
    verbs: ['get'],
  },
  {
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    verbs: ['get', ...FOLLOW],
  },
  { apiGroups: [''], resources: ['nodes'], verbs: [...FOLLOW, 'create', 'patch', 'delete'] },
  { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
]

/** What each asks of the API in the namespace of what it plays. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  [WMCO_NAMESPACE]: [
    { apiGroups: [''], resources: ['configmaps', 'pods'], verbs: FOLLOW },
    { apiGroups: [''], resources: ['pods/status'], verbs: ['patch'] },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: [...FOLLOW, 'create', 'delete'] },
  ],
  [MACHINE_API_NAMESPACE]: [
    { apiGroups: [MACHINE_API_GROUP], resources: ['machinesets'], verbs: FOLLOW },
    {
      apiGroups: [MACHINE_API_GROUP],
      resources: ['machines'],
      verbs: [...FOLLOW, 'create', 'patch', 'delete'],
    },
    {
      apiGroups: [MACHINE_API_GROUP],
      resources: ['machines/status', 'machinesets/status'],
      verbs: ['patch'],
    },
  ],
}

/** A Role and who has it; in the whole cluster where no namespace is named. */
function grant(rules: readonly Rule[], namespace?: string): KubernetesObject[] {
  const role = namespace === undefined ? 'ClusterRole' : 'Role'
  const apiVersion = `${RBAC}/v1`
  const metadata = {
    name: `poolwright:${NAME}`,
    labels: LABELS,
    ...(namespace !== undefined && { namespace }),
  }
  return [
    { apiVersion, kind: role, metadata, rules },
    {
      apiVersion,
      kind: `${role}Binding`,
      metadata,
      roleRef: { apiGroup: RBAC, kind: role, name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: NAME, namespace: STAND_IN_NAMESPACE }],
    },
  ]
}
