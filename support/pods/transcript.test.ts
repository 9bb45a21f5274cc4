import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { KubeClient } from '../../src/kube/client.ts'
import { inOrder, readLog, showLine, spokenLine, Transcript } from './transcript.ts'

describe('what containers say', () => {
  it('is read with its time, however many digits that has', () => {
    const at = BigInt(Date.parse('2026-03-31T12:00:01Z')) * 1_000_000n
    expect(spokenLine('main', '2026-03-31T12:00:01Z a b')).to.deep.equal({
      container: 'main',
      at,
      text: 'a b',
    })
    expect(spokenLine('main', '2026-03-31T12:00:01.5Z ').at).to.equal(at + 500_000_000n)
    expect(spokenLine('main', '2026-03-31T14:00:01.000000001+02:00 x').at).to.equal(at + 1n)
    expect(() => spokenLine('main', 'no time')).to.throw('no time before "no time" of main')
  })

  it('is put in order to the nanosecond', () => {
    const lines = [
      spokenLine('b', '2026-03-31T12:00:01.12Z two'),
      spokenLine('a', '2026-03-31T12:00:01.119999999Z one'),
      spokenLine('b', '2026-03-31T12:00:01.120000001Z SIGTERM'),
    ]
    expect(inOrder(lines).map(showLine)).to.deep.equal(['a one', 'b two', 'b gets SIGTERM'])
  })
})

describe('a transcript', () => {
  const answers = new Map<string, ServerResponse>()
  let api: Server
  let kube: KubeClient

  beforeEach(async () => {
    api = createServer(({ url }, response) => {
      const query = new URL(url ?? '', 'http://api').searchParams
      if (query.get('timestamps') !== 'true') response.writeHead(400)
      const follow = query.get('follow') === 'true'
      if (!follow) return response.end('2026-03-31T12:00:01Z one\n2026-03-31T12:00:02Z two\n')
      response.flushHeaders()
      answers.set(query.get('container') ?? '', response)
    }).listen(0, '127.0.0.1')
    await once(api, 'listening')
    const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    kube = new KubeClient({ server, insecure: true, namespace: 'default' })
  })

  afterEach(() => {
    kube.close()
    api.close()
    api.closeAllConnections()
  })

  const source = () => ({ kube, path: '/log', signal: AbortSignal.timeout(10_000) })

  it('has what was said so far', async () => {
    expect((await readLog(source(), 'main')).map(showLine)).to.deep.equal(['main one', 'main two'])
  })

  it('hears all containers until the last has ended', async () => {
    const transcript = await Transcript.open(source(), ['main', 'side'])
    answers.get('side')?.end('2026-03-31T12:00:02Z here\n')
    const heard = transcript.until('a word', 5_000, (lines) => lines.some(({ text }) => text === 'there'))
    answers.get('main')?.write('2026-03-31T12:00:01Z there\n')
    await heard
    const late = await transcript.untilEnd(50).catch(({ message }: Error) => message)
    expect(late).to.include('for the logs to end; last seen: main there')
    answers.get('main')?.end('2026-03-31T12:00:03Z bye\n')
    expect((await transcript.untilEnd(5_000)).map(showLine)).to.deep.equal([
      'main there',
      'side here',
      'main bye',
    ])
  })

  it('ends where a log breaks off', async () => {
    const transcript = await Transcript.open(source(), ['main'])
    answers.get('main')?.write('2026-03-31T12:00:01Z there\n')
    await transcript.until('a word', 5_000, (lines) => lines.length === 1)
    answers.get('main')?.destroy()
    expect((await transcript.untilEnd(5_000)).map(showLine)).to.deep.equal(['main there'])
  })
})
