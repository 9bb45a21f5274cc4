import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Duplex, Readable } from 'node:stream'
import { execa } from 'execa'

/** Chromium's program, or undefined where there is none on the path. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

// Chromium's own errands are kept out by flags; the page's are counted by the page's own network log.
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-pipe',
]

const LIMIT_MS = 60_000

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly request?: { readonly url: string }
    readonly name?: string
    readonly loaderId?: string
  }
  readonly result?: { readonly targetId?: string; readonly sessionId?: string; readonly loaderId?: string }
}

/** Opens a page in a headless Chromium and tells every address that it asked for until it was loaded and quiet. */
export async function pageRequests(chromium: string, address: string): Promise<string[]> {
  const profile = await mkdtemp(join(tmpdir(), 'poolwright-chromium-'))
  const browser = execa(chromium, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    buffer: false,
    reject: false,
    timeout: LIMIT_MS,
  })
  try {
    const [, , , input, output] = browser.nodeChildProcess.stdio as unknown as [
      null,
      null,
      null,
      Duplex,
      Readable,
    ]
    return await record(input, output, address)
  } finally {
    browser.kill('SIGKILL')
    await browser
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function record(input: Duplex, output: Readable, address: string): Promise<string[]> {
  const asked: string[] = []
  const quiet = new Set<string | undefined>()
  const browser = new Protocol(input, output, ({ method, params }) => {
    if (method === 'Network.requestWillBeSent') asked.push(params?.request?.url ?? '')
    if (params?.name === 'networkIdle') quiet.add(params.loaderId)
  })
  const { targetId } = await browser.call('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await browser.call('Target.attachToTarget', { targetId, flatten: true })
  for (const domain of ['Network', 'Page']) await browser.call(`${domain}.enable`, {}, sessionId)
  await browser.call('Page.setLifecycleEventsEnabled', { enabled: true }, sessionId)
  const { loaderId } = await browser.call('Page.navigate', { url: address }, sessionId)
  await browser.until(() => quiet.has(loaderId))
  return asked
}

/** Chromium's debugging protocol over a pair of pipes: JSON messages, each ended by a zero byte. */
class Protocol {
  readonly #input: Duplex
  readonly #answers = new Map<number, (message: Message) => void>()
  readonly #ended = Promise.withResolvers<never>()
  #heard = Promise.withResolvers<void>()
  #last = 0

  constructor(input: Duplex, output: Readable, listen: (message: Message) => void) {
    this.#input = input
    this.#ended.promise.catch(() => undefined)
    let pending = ''
    output.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (pending + chunk).split('\0')
      pending = parts.pop() ?? ''
      for (const message of parts.map((part) => JSON.parse(part) as Message)) {
        if (message.id === undefined) listen(message)
        else this.#answers.get(message.id)?.(message)
      }
      this.#heard.resolve()
      this.#heard = Promise.withResolvers()
    })
    output.once('close', () => this.#ended.reject(new Error('Chromium ended before the page was quiet')))
  }

  call(method: string, params: object, sessionId?: string): Promise<NonNullable<Message['result']>> {
    this.#last += 1
    const id = this.#last
    const answer = new Promise<NonNullable<Message['result']>>((resolve) => {
      this.#answers.set(id, ({ result = {} }) => resolve(result))
    })
    this.#input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
    return Promise.race([answer, this.#ended.promise])
  }

  async until(reached: () => boolean): Promise<void> {
    while (!reached()) await Promise.race([this.#heard.promise, this.#ended.promise])
  }
}
