import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { execa } from 'execa'

const ACTOR = fileURLToPath(new URL('actor.mjs', import.meta.url))
// Side by side with other runs of these tests.
const PORT = 20_000 + (process.pid % 10_000) * 2

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'actor-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function act(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return execa(process.execPath, [ACTOR, ...words], {
    reject: false,
    timeout: 20_000,
    env: { POD_NAME: 'me', WORD: 'hello', TMPDIR: folder, ...env },
  })
}

/** Runs a server until the work is done. */
async function beside<T>(words: readonly string[], work: () => Promise<T>): Promise<T> {
  const file = join(folder, 'up')
  const server = act([...words, `write:${file}=`, 'say:up', 'stay:'])
  try {
    await said(server, 'up')
    return await work()
  } finally {
    server.kill('SIGKILL')
    await server
  }
}

/** Until it has printed this line; fails when it ends before. */
function said({ stdout }: ReturnType<typeof act>, line: string): Promise<void> {
  let text = ''
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  stdout.on('data', (piece) => {
    text += piece
    if (text.split('\n').includes(line)) resolve()
  })
  stdout.on('close', () => reject(new Error(`it never said "${line}": ${text}`)))
  return promise
}

describe('the actor', () => {
  it('does what it is told, in order, and ends with the code it is told', async () => {
    const file = join(folder, 'notes')
    const { stdout, exitCode } = await act([
      'say:one',
      `append:${file}=a=b`,
      `append:${file}=c`,
      `print:${file}`,
      'env:WORD',
      'exit:7',
      'say:never',
    ])
    expect([stdout, exitCode]).to.deep.equal(['one\na=b\nc\nhello', 7])
  })

  it('keeps a file that is only named among the temporary ones', async () => {
    const { stdout } = await act(['write:notes=kept', 'print:notes'])
    expect(stdout).to.equal('kept')
    expect(await readFile(join(folder, 'notes'), 'utf8')).to.equal('kept')
  })

  it('refuses what it can’t do', async () => {
    const { stderr, exitCode } = await act(['fly:away'])
    expect(exitCode).to.equal(1)
    expect(stderr).to.include('"fly:away" is nothing that can be done')
  })

  it('serves by TCP and UDP and HTTP under the pod’s name', async () => {
    const gate = join(folder, 'gate')
    await beside([`tcp:${PORT}`, `udp:${PORT}`, `http:${PORT + 1}=${gate}`], async () => {
      expect((await act([`dial:127.0.0.1:${PORT}`])).stdout).to.equal('me')
      expect((await act([`ask:127.0.0.1:${PORT}`])).stdout).to.equal('me hello')
      expect((await act([`get:http://127.0.0.1:${PORT + 1}/`])).stdout).to.equal('503 me')
      await writeFile(gate, '')
      expect((await act([`get:http://127.0.0.1:${PORT + 1}/`])).stdout).to.equal('200 me')
    })
  })

  it('fails where nobody answers', async () => {
    const { stdout, exitCode } = await act([`dial:127.0.0.1:${PORT}`])
    expect(exitCode).to.equal(1)
    expect(stdout).to.include('ECONNREFUSED')
  })

  it('holds a connection until it is cut', async () => {
    let holder: ReturnType<typeof act> | undefined
    await beside([`tcp:${PORT}`], async () => {
      holder = act([`hold:127.0.0.1:${PORT}`])
      await said(holder, 'me 2')
    })
    expect((await holder)?.stdout.split('\n').at(-1)).to.equal('cut')
  })

  it('says that it was asked to end, and does as it was told', async () => {
    const end = async (words: readonly string[]): Promise<readonly [string, number | undefined]> => {
      const actor = act([...words, 'say:up', 'stay:'])
      await said(actor, 'up')
      actor.kill('SIGTERM')
      const { stdout, exitCode } = await actor
      return [stdout, exitCode]
    }
    expect(await end([])).to.deep.equal(['up\nSIGTERM', 0])
    expect(await end(['term:3'])).to.deep.equal(['up\nSIGTERM', 3])
    expect(await end(['term:3=0.1'])).to.deep.equal(['up\nSIGTERM\nends', 3])
  })

  it('has printed all lines of a file before it says that it was asked to end', async () => {
    const file = join(folder, 'notes')
    const actor = act([`tail:${file}`, 'say:up', 'stay:'])
    await said(actor, 'up')
    await writeFile(file, 'one\n')
    await said(actor, 'one')
    await writeFile(file, 'one\ntwo\nthree\n')
    actor.kill('SIGTERM')
    expect((await actor).stdout).to.equal('up\none\ntwo\nthree\nSIGTERM')
  })

  it('does once what it is to do once, however often it is started', async () => {
    const words = [`once:${join(folder, 'life')}=exit:3`, 'say:again']
    expect((await act(words)).exitCode).to.equal(3)
    expect((await act(words)).stdout).to.equal('again')
  })

  it('tells who asked, and what it answered', async () => {
    const gate = join(folder, 'gate')
    const server = act([`hear:${PORT}=${gate}`, 'say:up', 'stay:'])
    await said(server, 'up')
    await act([`get:http://127.0.0.1:${PORT}/one`])
    await act([`write:${gate}=`, `get:http://127.0.0.1:${PORT}/two`])
    await act([`remove:${gate}`, `get:http://127.0.0.1:${PORT}/three`])
    server.kill('SIGKILL')
    expect((await server).stdout).to.equal('up\n/one 503\n/two 200\n/three 503')
  })

  it('tells the claims of a token, and nothing else of it', async () => {
    const file = join(folder, 'token')
    const claims = '{"aud":["somebody"]}'
    await writeFile(file, `header.${Buffer.from(claims).toString('base64url')}.signature`)
    expect((await act([`claims:${file}`])).stdout).to.equal(claims)
  })

  it('knows its own addresses from others', async () => {
    const own = (address: string) => act(['own:WORD', 'say:mine'], { WORD: address })
    expect((await own('127.0.0.1')).stdout).to.equal('mine')
    expect((await own('192.0.2.1')).exitCode).to.equal(1)
    expect((await own('')).exitCode, 'no address at all').to.equal(1)
    expect((await own('0.0.0.0')).exitCode, 'any address').to.equal(1)
  })

  it('warns beside what it says', async () => {
    const { stdout, stderr } = await act(['say:one', 'warn:two'])
    expect([stdout, stderr]).to.deep.equal(['one', 'two'])
  })
})
