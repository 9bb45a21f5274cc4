import { textAt } from '../json/access.ts'
import { AGE, NAME } from '../printing/cells.ts'
import { builtIn } from '../registry/built-in.ts'
import type { Resource } from '../registry/resource.ts'
import { leases } from '../strategies/leases.ts'

export const COORDINATION: readonly Resource[] = [
  builtIn({
    group: 'coordination.k8s.io',
    version: 'v1',
    resource: 'leases',
    kind: 'Lease',
    struct: 'coordination.Lease',
    namespaced: true,
    strategy: leases,
    columns: [
      NAME,
      {
        name: 'Holder',
        type: 'string',
        description: 'Who holds it.',
        cell: (object) => textAt(object, 'spec', 'holderIdentity'),
      },
      AGE,
    ],
  }),
]
