import { at, listAt, textAt } from '../json/access.ts'
import { AGE, NAME } from '../printing/cells.ts'
import { builtIn } from '../registry/built-in.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import type { Column, Resource } from '../registry/resource.ts'
import { selectorText } from '../selectors/label-selector-object.ts'
import { deployments } from '../strategies/deployments.ts'

const number = (object: KubeObject, ...path: readonly string[]): number => Number(at(object, ...path) ?? 0)
const ofContainers = (object: KubeObject, field: string): string =>
  listAt(object, 'spec', 'template', 'spec', 'containers')
    .map((each) => textAt(each, field))
    .join(',')
const column = (name: string, description: string, cell: Column['cell'], priority = 0): Column => ({
  name,
  type: 'string',
  description,
  priority,
  cell,
})

export const APPS: readonly Resource[] = [
  builtIn({
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
    kind: 'Deployment',
    struct: 'apps.Deployment',
    namespaced: true,
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: ['status'],
    strategy: deployments,
    columns: [
      NAME,
      column(
        'Ready',
        'Pods ready of those wanted.',
        (object) => `${number(object, 'status', 'readyReplicas')}/${number(object, 'spec', 'replicas')}`,
      ),
      column('Up-to-date', 'Pods of the latest template.', (object) =>
        number(object, 'status', 'updatedReplicas'),
      ),
      column('Available', 'Pods available.', (object) => number(object, 'status', 'availableReplicas')),
      AGE,
      column('Containers', 'Names of its containers.', (object) => ofContainers(object, 'name'), 1),
      column('Images', 'Their images.', (object) => ofContainers(object, 'image'), 1),
      column(
        'Selector',
        'Which pods are its own.',
        (object) => selectorText(at(object, 'spec', 'selector')),
        1,
      ),
    ],
  }),
]
