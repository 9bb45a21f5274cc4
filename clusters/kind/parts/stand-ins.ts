import { fileURLToPath } from 'node:url'
import type { KubernetesObject } from '../../../src/contract/kubernetes.ts'
import { STAND_IN_LABEL } from '../../../src/contract/names.ts'
import { type Bundle, bundleProgram } from '../../bundle/bundle.ts'
import { ON_CONTROL_PLANE } from './placement.ts'

const STAND_IN_NAMESPACE = 'poolwright-stand-ins'
const NAME = 'windows-stand-ins'
const PROGRAM = fileURLToPath(new URL('../../stand-ins/main.ts', import.meta.url))

export function bundleStandIns(): Promise<Bundle> {
  return bundleProgram(NAME, PROGRAM)
}

/** The Windows stand-ins as a pod: the program in a ConfigMap, run by any image that has Node 20 or newer. */
export function standInManifests(bundle: Bundle, image: string): KubernetesObject[] {
  const metadata = { name: NAME, namespace: STAND_IN_NAMESPACE, labels: LABELS }
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: STAND_IN_NAMESPACE, labels: LABELS } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: `poolwright:${NAME}`, labels: LABELS },
      rules: RULES,
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: `poolwright:${NAME}`, labels: LABELS },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `poolwright:${NAME}` },
      subjects: [{ kind: 'ServiceAccount', name: NAME, namespace: STAND_IN_NAMESPACE }],
    },
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
                command: ['node', '/program/program.mjs', '--ready-file', '/state/ready', '--image', image],
                readinessProbe: { exec: { command: ['test', '-e', '/state/ready'] }, periodSeconds: 1 },
                resources: { requests: { cpu: '20m', memory: '64Mi' } },
                securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
                volumeMounts: [
                  { name: 'program', mountPath: '/program', readOnly: true },
                  { name: 'state', mountPath: '/state' },
                ],
              },
            ],
            volumes: [
              { name: 'program', configMap: { name: bundle.name } },
              { name: 'state', emptyDir: {} },
            ],
          },
        },
      },
    },
  ]
}

const LABELS = { [STAND_IN_LABEL]: NAME }

const ALL_ON_OBJECTS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']

/** What the two programs ask of the API, and nothing else. */
const RULES = [
  { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'create'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [''], resources: ['nodes'], verbs: ALL_ON_OBJECTS },
  { apiGroups: [''], resources: ['nodes/status', 'pods/status'], verbs: ['patch'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ALL_ON_OBJECTS },
  {
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    verbs: ['get', 'list', 'watch', 'create'],
  },
  {
    apiGroups: ['machine.openshift.io'],
    resources: ['machinesets', 'machines', 'machinesets/status', 'machines/status', 'machinesets/finalizers'],
    verbs: ALL_ON_OBJECTS,
  },
]
