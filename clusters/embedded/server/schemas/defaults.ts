import type { JsonObject } from '../json/exact.ts'

/** Values that Kubernetes fills into a struct wherever it occurs (SetDefaults_… of k8s.io/kubernetes/pkg/apis); only what is missing. */
export type StructDefaults = (value: JsonObject) => JsonObject

const FILE_MODE = 0o644
const fileMode: StructDefaults = () => ({ defaultMode: FILE_MODE })

const container: StructDefaults = (value) => ({
  imagePullPolicy: tagOf(String(value.image ?? '')) === 'latest' ? 'Always' : 'IfNotPresent',
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
})

/** Struct → its defaults. A field that is there already is kept. */
export const STRUCT_DEFAULTS: Readonly<Record<string, StructDefaults>> = {
  'core.Container': container,
  'core.EphemeralContainer': container,
  'core.ContainerPort': () => ({ protocol: 'TCP' }),
  'core.PodSpec': () => ({
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  }),
  'core.Probe': () => ({ timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  'core.HTTPGetAction': () => ({ path: '/', scheme: 'HTTP' }),
  'core.GRPCAction': () => ({ service: '' }),
  'core.Volume': (value) => (Object.keys(value).length === 1 ? { emptyDir: {} } : {}),
  'core.SecretVolumeSource': fileMode,
  'core.ConfigMapVolumeSource': fileMode,
  'core.DownwardAPIVolumeSource': fileMode,
  'core.ProjectedVolumeSource': fileMode,
  'core.ServiceAccountTokenProjection': () => ({ expirationSeconds: 3600 }),
  'core.ObjectFieldSelector': () => ({ apiVersion: 'v1' }),
  'core.HostPathVolumeSource': () => ({ type: '' }),
  'core.ISCSIVolumeSource': () => ({ iscsiInterface: 'default' }),
  'core.RBDVolumeSource': () => ({ pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  'core.AzureDiskVolumeSource': () => ({
    cachingMode: 'ReadWrite',
    fsType: 'ext4',
    readOnly: false,
    kind: 'Shared',
  }),
  'core.ScaleIOVolumeSource': () => ({ storageMode: 'ThinProvisioned', fsType: 'xfs' }),
  'core.FileKeySelector': () => ({ optional: false }),
  'core.PersistentVolumeClaimSpec': () => ({ volumeMode: 'Filesystem' }),
  'core.Secret': () => ({ type: 'Opaque' }),
  'core.NamespaceStatus': () => ({ phase: 'Active' }),
  'core.NodeStatus': (value) => (value.capacity === undefined ? {} : { allocatable: value.capacity }),
  'apps.DeploymentSpec': () => ({ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
  'apps.DeploymentStrategy': (value) =>
    value.type === undefined || value.type === 'RollingUpdate'
      ? { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } }
      : {},
  'apps.RollingUpdateDeployment': () => ({ maxUnavailable: '25%', maxSurge: '25%' }),
}

/** The tag of an image: `latest` where there is neither a tag nor a digest. */
function tagOf(image: string): string {
  if (image.includes('@')) return ''
  const last = image.slice(image.lastIndexOf('/') + 1)
  const colon = last.indexOf(':')
  return colon === -1 ? 'latest' : last.slice(colon + 1)
}
