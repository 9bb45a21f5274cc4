import { at, listAt, textAt } from '../json/access.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import type { Column } from '../registry/resource.ts'
import { AGE, NAME } from './cells.ts'

const ROLE_PREFIX = 'node-role.kubernetes.io/'
const info = (object: KubeObject, field: string): string => textAt(object, 'status', 'nodeInfo', field)
const wide = (name: string, description: string, cell: Column['cell']): Column => ({
  name,
  type: 'string',
  description,
  priority: 1,
  cell,
})

export const nodeColumns: readonly Column[] = [
  NAME,
  { name: 'Status', type: 'string', description: 'Whether the node is ready.', cell: status },
  { name: 'Roles', type: 'string', description: 'Roles of the node, from its labels.', cell: roles },
  AGE,
  {
    name: 'Version',
    type: 'string',
    description: 'Version of its kubelet.',
    cell: (object) => info(object, 'kubeletVersion'),
  },
  wide('Internal-IP', 'Address inside the cluster.', (object) => address(object, 'InternalIP')),
  wide('External-IP', 'Address outside the cluster.', (object) => address(object, 'ExternalIP')),
  wide('OS-Image', 'Operating system.', (object) => info(object, 'osImage') || '<unknown>'),
  wide('Kernel-Version', 'Kernel and architecture.', (object) => {
    const architecture = info(object, 'architecture')
    return `${info(object, 'kernelVersion') || '<unknown>'}${architecture === '' ? '' : ` (${architecture})`}`
  }),
  wide(
    'Container-Runtime',
    'What runs its containers.',
    (object) => info(object, 'containerRuntimeVersion') || '<unknown>',
  ),
]

function status(object: KubeObject): string {
  const ready = listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === 'Ready')
  const shown = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady'
  return at(object, 'spec', 'unschedulable') === true ? `${shown},SchedulingDisabled` : shown
}

function roles(object: KubeObject): string {
  const found = Object.entries(object.metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key === ROLE_PREFIX ? [] : [key.slice(ROLE_PREFIX.length)]
    return key === 'kubernetes.io/role' && value !== '' ? [value] : []
  })
  return [...new Set(found)].sort().join(',') || '<none>'
}

function address(object: KubeObject, type: string): string {
  const found = listAt(object, 'status', 'addresses').find((each) => textAt(each, 'type') === type)
  return found === undefined ? '<none>' : textAt(found, 'address')
}
