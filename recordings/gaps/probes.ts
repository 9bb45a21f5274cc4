import { parseExact, printExact } from '../exact-json.ts'
import { valueAt } from '../json-path.ts'
import type { VectorRequest } from '../vector.ts'
import { withServerOfItsOwn } from './server-of-its-own.ts'

/** A request for something that Kubernetes does and the embedded cluster refuses, and how it says so. */
export interface Refusal {
  readonly title: string
  readonly status: number
  readonly message: string
}

/** Asks an embedded server of its own for each thing that it is known to lack on the resources that it serves. */
export function probeRefusals(signal: AbortSignal): Promise<Refusal[]> {
  return withServerOfItsOwn(async (target) => {
    const refusals: Refusal[] = []
    for (const [title, request] of Object.entries(PROBES)) {
      const { status, body } = await target.request(request, signal)
      refusals.push({ title, status, message: String(valueAt(body, '$.message') ?? printExact(body)) })
    }
    return refusals
  })
}

const CONFIG_MAP = '/api/v1/namespaces/default/configmaps/a'

const PROBES: Readonly<Record<string, VectorRequest>> = {
  'Server-side apply': {
    method: 'PATCH',
    path: `${CONFIG_MAP}?fieldManager=m`,
    headers: { 'Content-Type': 'application/apply-patch+yaml' },
    body: parseExact('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}'),
  },
  'Bodies in protobuf (`kubectl create configmap`, `create namespace`, …)': {
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    headers: { 'Content-Type': 'application/vnd.kubernetes.protobuf' },
    body: 'k8s\u0000',
  },
  'Deletion in the foreground': {
    method: 'DELETE',
    path: CONFIG_MAP,
    body: parseExact('{"propagationPolicy":"Foreground"}'),
  },
  'Deletion that orphans dependents': {
    method: 'DELETE',
    path: CONFIG_MAP,
    body: parseExact('{"propagationPolicy":"Orphan"}'),
  },
  'Rules in CEL': definition({ 'x-kubernetes-validations': [{ rule: 'self.a > 1' }] }),
  'Scale of custom resources': definition(
    {},
    { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' } },
  ),
  'Conversion by webhook': definition({}, undefined, {
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1/' } },
  }),
  'Scale of Deployments': { method: 'GET', path: '/apis/apps/v1/namespaces/default/deployments/a/scale' },
  'OpenAPI v2, but for the empty one that kubectl falls back to': { method: 'GET', path: '/openapi/v2' },
  'Tokens of service accounts': {
    method: 'POST',
    path: '/api/v1/namespaces/default/serviceaccounts/default/token',
    body: parseExact('{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}'),
  },
}

function definition(spec: object, subresources?: object, conversion?: object): VectorRequest {
  const properties = {
    spec: { type: 'object', properties: { a: { type: 'integer' } }, ...spec },
    status: { type: 'object' },
  }
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties } },
    ...(subresources && { subresources }),
  }
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [version],
      ...(conversion && { conversion }),
    },
  }
  return {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
    body: parseExact(JSON.stringify(body)),
  }
}
