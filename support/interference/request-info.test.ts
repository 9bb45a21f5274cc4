import { describe, it } from 'node:test'
import { expect } from 'chai'
import { requestInfo } from './request-info.ts'

const CASES: readonly [string, string, object][] = [
  ['GET', '/version', { verb: 'other', resource: '' }],
  ['GET', '/api/v1/nodes', { verb: 'list', resource: 'nodes' }],
  ['GET', '/api/v1/nodes?watch=true', { verb: 'watch', resource: 'nodes' }],
  ['PATCH', '/api/v1/nodes/a/status', { verb: 'patch', resource: 'nodes', name: 'a', subresource: 'status' }],
  ['DELETE', '/api/v1/namespaces/a', { verb: 'delete', resource: 'namespaces', name: 'a' }],
  [
    'PUT',
    '/api/v1/namespaces/a/finalize',
    { verb: 'update', resource: 'namespaces', name: 'a', subresource: 'finalize' },
  ],
  ['POST', '/api/v1/namespaces/a/configmaps', { verb: 'create', resource: 'configmaps', namespace: 'a' }],
  [
    'GET',
    '/api/v1/namespaces/a/configmaps/b%2Ec',
    { verb: 'get', resource: 'configmaps', namespace: 'a', name: 'b.c' },
  ],
  [
    'DELETE',
    '/apis/apps/v1/namespaces/a/deployments',
    { verb: 'deletecollection', resource: 'deployments', namespace: 'a' },
  ],
  [
    'GET',
    '/api/v1/namespaces/a/configmaps/%zz',
    { verb: 'get', resource: 'configmaps', namespace: 'a', name: '%zz' },
  ],
]

describe('request info', () => {
  for (const [method, target, expected] of CASES)
    it(`${method} ${target}`, () => {
      expect(requestInfo(method, target)).to.deep.equal(expected)
    })
})
