import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { EntryOutcome, LogRecord } from '../../src/contract/implementation.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { Journal } from '../interference/journal.ts'
import { Outcomes } from '../outcomes.ts'
import { ERROR_MEDIA_TYPE } from '../report/media-types.ts'
import { attachEvidence } from './attach.ts'
import { rememberSecret } from './redact.ts'

/** Planted wherever an implementation or a cluster could let one slip. */
const SECRET = 'planted-8f2c1d-secret'

describe('evidence', () => {
  let api: Server
  let kube: KubeClient

  before(async () => {
    api = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      const events = {
        kind: 'EventList',
        metadata: {},
        items: [
          { type: 'Warning', message: `login ${SECRET}`, lastTimestamp: '2026-03-31T12:00:02Z', count: 3 },
          { type: 'Normal', message: 'before', lastTimestamp: null, eventTime: '2026-03-31T12:00:01.5Z' },
        ],
      }
      const pool = { kind: 'ConfigMap', metadata: { resourceVersion: '2' }, data: { a: `# ${SECRET}\n` } }
      response.end(JSON.stringify(request.url?.includes('/events') ? events : pool))
    }).listen(0, '127.0.0.1')
    await once(api, 'listening')
    const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    kube = new KubeClient({ server, insecure: true, namespace: 'default' })
  })

  after(() => {
    kube.close()
    api.close()
  })

  function collect(outcome: EntryOutcome): Promise<{ name: string; mediaType: string; text: string }[]> {
    const outcomes = new Outcomes()
    const request = { testId: 'login' }
    outcomes.record({
      operation: 'allocate',
      request,
      outcome,
      client: 'implementation',
      startedAt: 0,
      tookMs: 5,
      journalMark: 0,
    })
    const attached: { name: string; mediaType: string; text: string }[] = []
    const attach = (text: string, { mediaType, fileName }: { mediaType: string; fileName: string }) => {
      attached.push({ name: fileName, mediaType, text })
    }
    const journal = new Journal()
    journal.begin({ verb: 'get', resource: 'configmaps', client: 'implementation', path: '/api/v1/…' })
    const world = {
      attach: attach as never,
      kube,
      outcomes,
      before: { metadata: { resourceVersion: '1' }, data: {} },
      site: { namespace: 'ns', configMap: 'pool' },
      proxy: { failures: [new Error(`broke with ${SECRET}`)], journal },
    }
    return attachEvidence(world, AbortSignal.timeout(5_000)).then(() => attached)
  }

  const failed: EntryOutcome = {
    attempts: 1,
    delays: [],
    log: [{ time: 't', level: 'error', operation: 'allocate', decision: `used ${SECRET}` }],
    error: { code: 'Forbidden', fallbackAllowed: false, message: `refused ${SECRET}`, remedy: 'r' },
  }

  it('shows the pool before and after, operations, outcomes, log, wire, events and errors', async () => {
    const names = (await collect(failed)).map(({ name }) => name)
    expect(names).to.deep.equal([
      'pool before and after.diff',
      'operations.txt',
      'outcomes.json',
      'structured log.jsonl',
      'wire.txt',
      'interference that failed.txt',
      'events.txt',
      'errors.json',
    ])
  })

  it('tells events in the order in which they were last seen', async () => {
    const events = (await collect(failed)).find(({ name }) => name === 'events.txt')
    const lines = events?.text.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))
    expect(lines).to.deep.equal([
      ['last seen', 'times', 'type'],
      ['2026-03-31T12:00:01.5Z', '1', 'Normal'],
      ['2026-03-31T12:00:02Z', '3', 'Warning'],
    ])
  })

  it('never shows a secret, wherever it slipped in', async () => {
    const carriers = (await collect(failed)).filter(({ text }) => text.includes(SECRET))
    expect(carriers.length, 'attachments that carry it while nobody knows it').to.be.greaterThan(4)
    rememberSecret(SECRET)
    for (const { name, text } of await collect(failed)) expect(text, name).not.to.include(SECRET)
  })

  it('shows no half of a secret that the limit on length cuts', async () => {
    rememberSecret(SECRET)
    const message = `${'x'.repeat(59_000)}${SECRET.repeat(100)}`
    const long: EntryOutcome = { ...failed, log: [{ ...failed.log[0], decision: message } as LogRecord] }
    const log = (await collect(long)).find(({ name }) => name === 'structured log.jsonl')
    expect(log?.text).to.include('[redacted]').and.not.to.include('planted')
  })

  it('tells machines each error by code and message', async () => {
    const errors = (await collect(failed)).find(({ mediaType }) => mediaType === ERROR_MEDIA_TYPE)
    expect(JSON.parse(errors?.text ?? '')).to.deep.equal([
      { code: 'Forbidden', message: 'refused [redacted]' },
    ])
  })
})
