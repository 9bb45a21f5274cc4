import { fileURLToPath } from 'node:url'
import type { KubernetesObject } from '../../../src/contract/kubernetes.ts'
import { type Bundle, bundleProgram } from '../../bundle/bundle.ts'
import { ON_EVERY_NODE } from './placement.ts'

const NAMESPACE = 'kube-system'
const NAME = 'poolwright-pod-network'
const PROGRAM = fileURLToPath(new URL('../pod-network/main.ts', import.meta.url))
/** kind's own, for all pods of all nodes. */
const CLUSTER_SUBNET = '10.244.0.0/16'

export function bundlePodNetwork(): Promise<Bundle> {
  return bundleProgram('pod-network', PROGRAM)
}

/** For node images that bring no pod network of their own: routes from node to node, and how a pod is connected. */
export function podNetworkManifests(bundle: Bundle, image: string, controlPlane: string): KubernetesObject[] {
  const metadata = { name: NAME, namespace: NAMESPACE }
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: NAME },
      rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] }],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: NAME },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: NAME },
      subjects: [{ kind: 'ServiceAccount', ...metadata }],
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: bundle.name, namespace: NAMESPACE },
      immutable: true,
      data: { 'program.mjs': bundle.code },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata,
      spec: {
        selector: { matchLabels: { app: NAME } },
        template: {
          metadata: { labels: { app: NAME } },
          spec: {
            ...ON_EVERY_NODE,
            serviceAccountName: NAME,
            hostNetwork: true,
            priorityClassName: 'system-node-critical',
            terminationGracePeriodSeconds: 1,
            containers: [
              {
                name: 'pod-network',
                image,
                imagePullPolicy: 'IfNotPresent',
                command: ['node', '/program/program.mjs'],
                args: ['--node', '$(NODE_NAME)', '--cluster-subnet', CLUSTER_SUBNET, '--cni-folder', '/cni'],
                env: [
                  { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
                  // Straight there: the API's Service works only where kube-proxy already does.
                  { name: 'KUBERNETES_SERVICE_HOST', value: controlPlane },
                  { name: 'KUBERNETES_SERVICE_PORT', value: '6443' },
                ],
                resources: { requests: { cpu: '10m', memory: '50Mi' } },
                securityContext: { capabilities: { add: ['NET_ADMIN', 'NET_RAW'] } },
                volumeMounts: [
                  { name: 'program', mountPath: '/program', readOnly: true },
                  { name: 'cni', mountPath: '/cni' },
                ],
              },
            ],
            volumes: [
              { name: 'program', configMap: { name: bundle.name } },
              { name: 'cni', hostPath: { path: '/etc/cni/net.d', type: 'DirectoryOrCreate' } },
            ],
          },
        },
      },
    },
  ]
}
