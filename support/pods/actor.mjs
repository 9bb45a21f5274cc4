/**
 * What the suite runs in pods and at the outside vantage: does its arguments one after the other, each `verb:value`.
 * Plain JavaScript for Node 20, nothing but Node's own modules: it travels in a ConfigMap. A FILE that is no whole path
 * is one in the system's folder for temporary files.
 *
 * say:TEXT           prints a line                 write:FILE=TEXT    makes the file, at once whole
 * warn:TEXT          the same to standard error    append:FILE=TEXT   adds a line
 * env:NAME           prints the variable           print:FILE         prints the file
 * await:FILE         until the file is there       remove:FILE        the file is no longer there
 * once:FILE=WORD     does that unless the file is there, and makes it: lives of a container that a volume outlives
 * follow:FILE        prints the file when it changes; goes on beside what follows
 * tail:FILE          prints lines as they are added, all of them before it hears SIGTERM; goes on beside what follows
 * claims:FILE        prints what the JSON Web Token in the file claims, never the token
 * own:NAME           fails unless the variable holds an address of its own
 * tcp:PORT           greets with the pod's name, then echoes lines; goes on beside what follows
 * http:PORT[=FILE]   answers the pod's name; with FILE only while it exists, else 503
 * hear:PORT[=FILE]   the same, and prints each path that was asked for and the status of the answer
 * udp:PORT           answers each packet with the pod's name and the packet
 * eat:MIB            takes memory, and touches it
 * pause:SECONDS      does nothing for so long      stay:              for ever
 * term:ignore|CODE[=SECONDS]   what SIGTERM does; it is printed in any case. Unsaid: ends with 0. With SECONDS it
 *                    goes on for so long, and prints "ends"
 * exit:CODE          ends
 * dial:HOST:PORT     connects, prints the greeting; fails where there is none within 3 s
 * ask:HOST:PORT      the same by UDP
 * get:URL            the same by HTTP, with the status before the body
 * hold:HOST:PORT     connects and sends a numbered line five times a second, printing each answer; prints "cut" at its end
 */
import { createSocket } from 'node:dgram'
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, isIP } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const ANSWER_MS = 3_000
const LOOK_MS = 100
const name = process.env.POD_NAME ?? hostname()
const eaten = []

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`)

/** A name alone is one in the folder that any container may write to. @param {string} file */
const fileAt = (file) => resolve(tmpdir(), file)

/** @type {() => unknown} */
let onTerm = () => process.exit(0)
/** What has to be printed before that. @type {(() => void)[]} */
const beforeTerm = []
process.on('SIGTERM', () => {
  for (const print of beforeTerm) print()
  say('SIGTERM')
  onTerm()
})

/** @type {Record<string, (value: string) => unknown>} */
const VERBS = {
  say,
  warn: (line) => process.stderr.write(`${line}\n`),
  write: (value) => {
    const [file, text] = pair(value)
    writeFileSync(`${fileAt(file)}.part`, text)
    renameSync(`${fileAt(file)}.part`, fileAt(file))
  },
  remove: (file) => rmSync(fileAt(file)),
  append: (value) => {
    const [file, text] = pair(value)
    appendFileSync(fileAt(file), `${text}\n`)
  },
  print: (file) => say(readFileSync(fileAt(file), 'utf8').trimEnd()),
  env: (variable) => say(process.env[variable] ?? ''),
  await: async (file) => {
    while (!existsSync(fileAt(file))) await pause(LOOK_MS)
  },
  once: async (value) => {
    const [file, word] = pair(value)
    if (existsSync(fileAt(file))) return
    writeFileSync(fileAt(file), '')
    await act(word)
  },
  follow: (file) => void follow(fileAt(file)),
  tail: (file) => void tail(fileAt(file)),
  claims: (file) => {
    const [, claims = ''] = readFileSync(fileAt(file), 'utf8').split('.')
    say(Buffer.from(claims, 'base64url').toString())
  },
  own: async (variable) => {
    const address = process.env[variable] ?? ''
    // Without an address, or with that of all, a server listens wherever it can.
    if (!isIP(address) || /^[0.:]+$/.test(address)) throw new Error(`"${address}" is no address`)
    const server = createServer()
    await listening(server, '0', address)
    server.close()
  },
  tcp: (port) => listening(createServer(greet), port),
  http: (value) => answering(value, () => undefined),
  hear: (value) => answering(value, say),
  udp: (port) =>
    new Promise((resolve) => {
      const socket = createSocket('udp4')
      socket.on('message', (packet, { port: to, address }) => socket.send(`${name} ${packet}`, to, address))
      socket.bind(Number(port), () => resolve(undefined))
    }),
  eat: (mebibytes) => {
    for (let i = 0; i < Number(mebibytes); i++) eaten.push(Buffer.alloc(1024 * 1024, 1))
  },
  pause: (seconds) => pause(Number(seconds) * 1000),
  stay: () => pause(2 ** 31 - 1),
  term: (value) => {
    const [how, seconds] = pair(value)
    const end = async () => {
      if (seconds) await pause(Number(seconds) * 1000).then(() => say('ends'))
      process.exit(Number(how))
    }
    onTerm = how === 'ignore' ? () => undefined : end
  },
  exit: (code) => process.exit(Number(code)),
  dial: (target) => answered(target, dial),
  ask: (target) => answered(target, ask),
  get: async (url) => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'manual' })
    say(`${answer.status} ${(await answer.text()).trimEnd()}`)
  },
  hold,
}

for (const word of process.argv.slice(2)) await act(word)
// What serves goes on; a command that only asked is done.
if (!process.argv.some((word) => /^(tcp|http|hear|udp|follow|tail):/.test(word))) process.exit(0)

/** @param {string} word */
async function act(word) {
  const [, verb = '', value = ''] = /^([a-z]+):(.*)$/s.exec(word) ?? []
  const does = VERBS[verb]
  if (!does) throw new Error(`"${word}" is nothing that can be done`)
  await does(value)
}

/** @param {string} value @returns {[string, string]} */
function pair(value) {
  const at = value.indexOf('=')
  return at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)]
}

/** @param {import('node:net').Server} server @param {string} port */
function listening(server, port, at = '0.0.0.0') {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(port), at, () => resolve(undefined))
  })
}

/** @param {string} value @param {(line: string) => unknown} tell */
function answering(value, tell) {
  const [port, gate] = pair(value)
  const server = createHttpServer(({ url }, response) => {
    const status = gate === '' || existsSync(fileAt(gate)) ? 200 : 503
    tell(`${url} ${status}`)
    response.writeHead(status).end(`${name}\n`)
  })
  return listening(server, port)
}

/** @param {import('node:net').Socket} socket */
function greet(socket) {
  socket.on('error', () => socket.destroy())
  socket.write(`${name}\n`)
  eachLine(socket, (line) => socket.write(`${name} ${line}\n`))
}

/** @param {import('node:net').Socket} socket @param {(line: string) => unknown} take */
function eachLine(socket, take) {
  let rest = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}

/** @param {string} file */
async function follow(file) {
  for (let last; ; await pause(LOOK_MS)) {
    const now = existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : undefined
    if (now !== undefined && now !== last) say(now)
    last = now
  }
}

/** @param {string} file */
async function tail(file) {
  let printed = 0
  const print = () => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
    for (const line of lines.slice(printed)) say(line)
    printed = lines.length
  }
  beforeTerm.push(print)
  for (; ; await pause(LOOK_MS)) print()
}

/** @param {string} target @returns {[string, number]} */
function address(target) {
  const at = target.lastIndexOf(':')
  return [target.slice(0, at), Number(target.slice(at + 1))]
}

/** @param {string} target @param {(host: string, port: number, done: (line: string) => void, fail: (error: Error) => void) => void} by */
async function answered(target, by) {
  const [host, port] = address(target)
  try {
    say(
      await new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS)
        by(host, port, resolve, reject)
      }),
    )
  } catch (error) {
    say(/** @type {Error} */ (error).message)
    process.exit(1)
  }
}

/** @param {string} host @param {number} port @param {(line: string) => void} done @param {(error: Error) => void} fail */
function dial(host, port, done, fail) {
  const socket = connect(port, host)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('closed without a greeting')))
  eachLine(socket, done)
}

/** @param {string} host @param {number} port @param {(line: string) => void} done @param {(error: Error) => void} fail */
function ask(host, port, done, fail) {
  const socket = createSocket('udp4')
  socket.on('error', fail)
  socket.on('message', (packet) => done(String(packet)))
  socket.send('hello', port, host)
}

/** @param {string} target */
function hold(target) {
  const [host, port] = address(target)
  const socket = connect(port, host)
  let sent = 0
  const timer = setInterval(() => socket.write(`${++sent}\n`), 200)
  eachLine(socket, say)
  return new Promise((resolve) => {
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      say('cut')
      resolve(undefined)
    })
  })
}
