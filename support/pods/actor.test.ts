import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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

function act(words: readonly string[]) {
  return execa(process.execPath, [ACTOR, ...words], {
    reject: false,
    timeout: 20_000,
    env: { POD_NAME: 'me', WORD: 'hello' },
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
  })
})
