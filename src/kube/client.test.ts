import { afterEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiStatusError, isConflict, isNotFound } from './api-status-error.ts'
import { failure, json, type ScriptedServer, scriptedServer } from './scripted-server.ts'

let server: ScriptedServer
afterEach(() => server.stop())

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('KubeClient', () => {
  it('throws the Status of a refusal, typed', async () => {
    server = await scriptedServer(failure(404, 'NotFound', { name: 'x' }), failure(409, 'Conflict'))
    const missing = await caught(server.client.get('/api/v1/nodes/x'))
    expect(missing).to.be.instanceOf(ApiStatusError)
    expect(isNotFound(missing)).to.equal(true)
    expect((missing as ApiStatusError).message).to.equal(
      'GET /api/v1/nodes/x: 404 NotFound NotFound for the test',
    )
    expect(isConflict(await caught(server.client.update('/api/v1/nodes/x', {})))).to.equal(true)
  })

  it('makes up a Status where the answer has none, and keeps Retry-After', async () => {
    server = await scriptedServer((_, response) =>
      response.writeHead(429, { 'retry-after': '3' }).end('slow down'),
    )
    const error = (await caught(server.client.get('/version'))) as ApiStatusError
    expect(error.retryAfterSeconds).to.equal(3)
    expect(error.status.message).to.equal('slow down')
  })

  it('sends bodies with the content type of the patch', async () => {
    let body = ''
    server = await scriptedServer((request, response) => {
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => json(200, { kind: 'Node' })(request, response))
    })
    expect(
      await server.client.patch('/api/v1/nodes/n', { metadata: { labels: { a: 'ü' } } }, 'merge'),
    ).to.deep.equal({
      kind: 'Node',
    })
    expect(server.requests[0]?.method).to.equal('PATCH')
    expect(server.requests[0]?.headers['content-type']).to.equal('application/merge-patch+json')
    expect(body).to.equal('{"metadata":{"labels":{"a":"ü"}}}')
  })

  it('gives up on a server that does not answer', async () => {
    server = await scriptedServer(() => {})
    const error = await caught(server.client.request({ path: '/version', timeoutMs: 50 }))
    expect((error as Error).message).to.equal('GET /version: no answer within 50 ms')
  })

  it('gives up with the signal’s own reason', async () => {
    const controller = new AbortController()
    server = await scriptedServer(() => controller.abort(new Error('enough')))
    const error = await caught(server.client.request({ path: '/version', signal: controller.signal }))
    expect((error as Error).message).to.equal('enough')
  })

  it('repeats a read whose kept connection had been closed, never a write', async () => {
    server = await scriptedServer(
      json(200, {}),
      (request) => request.socket.destroy(),
      json(200, { kind: 'Node' }),
      (request) => request.socket.destroy(),
    )
    await server.client.get('/api/v1/nodes/n')
    expect(await server.client.get('/api/v1/nodes/n')).to.deep.equal({ kind: 'Node' })
    expect(await caught(server.client.update('/api/v1/nodes/n', {}))).to.be.instanceOf(Error)
    expect(server.requests).to.have.length(4)
  })
})
