import { parseExact, printExact } from '../exact-json.ts'
import { valueAt } from '../json-path.ts'
import type { VectorRequest } from '../vector.ts'
import { withServerOfItsOwn } from './server-of-its-own.ts'

/** Something that Kubernetes does by itself and the embedded cluster does not: there is nothing it could refuse. */
export interface Omission {
  readonly title: string
  /** What an embedded server answered when it was looked for. */
  readonly seen: string
}

interface Look {
  readonly before: readonly VectorRequest[]
  readonly request: VectorRequest
  readonly path: string
}

/** Looks for each in an embedded server of its own. */
export function probeOmissions(signal: AbortSignal): Promise<Omission[]> {
  return withServerOfItsOwn(async (target) => {
    const omissions: Omission[] = []
    for (const [title, { before, request, path }] of Object.entries(LOOKS)) {
      for (const each of before) await target.request(each, signal)
      const { status, body } = await target.request(request, signal)
      const value = valueAt(body, path)
      omissions.push({
        title,
        seen: `${request.method} ${request.path}: ${status}, ${path} is ${value === undefined ? 'absent' : printExact(value)}`,
      })
    }
    return omissions
  })
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

const LOOKS: Readonly<Record<string, Look>> = {
  'Who set which field (`managedFields`, `kubectl get --show-managed-fields`): server-side apply, which works by it, is refused above':
    {
      before: [create('managed')],
      request: { method: 'GET', path: `${CONFIG_MAPS}/managed` },
      path: '$.metadata.managedFields',
    },
  'Garbage collection: what names an owner stays when the owner is gone': {
    before: [create('owned', { name: 'nobody', uid: '00000000-0000-0000-0000-000000000000' })],
    request: { method: 'GET', path: `${CONFIG_MAPS}/owned` },
    path: '$.metadata.deletionTimestamp',
  },
}

function create(name: string, owner?: { readonly name: string; readonly uid: string }): VectorRequest {
  const ownerReferences = owner && [{ apiVersion: 'v1', kind: 'ConfigMap', ...owner }]
  const body = { metadata: { name, ...(ownerReferences && { ownerReferences }) } }
  return { method: 'POST', path: CONFIG_MAPS, body: parseExact(JSON.stringify(body)) }
}
