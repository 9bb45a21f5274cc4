import type { KubernetesObject } from '../../src/contract/kubernetes.ts'

/** What the suite looks at of a PersistentVolumeClaim. */
export interface Claim extends KubernetesObject {
  spec?: { volumeName?: string }
  status?: { phase?: string }
}

/** What the suite looks at of a PersistentVolume. */
export interface Volume extends KubernetesObject {
  spec?: {
    persistentVolumeReclaimPolicy?: string
    storageClassName?: string
    claimRef?: { namespace?: string; name?: string; uid?: string }
    nodeAffinity?: { required?: { nodeSelectorTerms?: readonly NodeSelectorTerm[] } }
  }
  status?: { phase?: string }
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }[]
}

/** In one line: `world, 1f2e…, Bound to pvc-1f2e…, being deleted`. */
export function showClaim({ metadata, spec, status }: Claim): string {
  const leaving = metadata?.deletionTimestamp ? ', being deleted' : ''
  return `${metadata?.name}, ${metadata?.uid}, ${status?.phase} to ${spec?.volumeName ?? 'no volume'}${leaving}`
}

/** In one line, with the nodes that it can be used on. */
export function showVolume({ metadata, spec, status }: Volume): string {
  const { namespace, name } = spec?.claimRef ?? {}
  const claim = name === undefined ? 'no claim' : `claim ${namespace}/${name}`
  return `${metadata?.name}, ${metadata?.uid}, ${status?.phase} by ${claim}, ${spec?.persistentVolumeReclaimPolicy}, ${showNodes(spec)}`
}

/** Which nodes a volume can be used on, in words. */
function showNodes(spec: Volume['spec']): string {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms
  if (!terms) return 'on every node'
  const words = terms.map(({ matchExpressions = [] }) =>
    matchExpressions
      .map(({ key, operator, values = [] }) => `${key} ${operator} ${values.join(', ')}`)
      .join(' and '),
  )
  return `where ${words.join(' or ')}`
}
