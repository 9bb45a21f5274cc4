/**
 * What the suite runs in pods and at the outside vantage: does its arguments one after the other, each `verb:value`.
 * Plain JavaScript for Node 20, nothing but Node's own modules: it travels in a ConfigMap.
 *
 * say:TEXT           prints a line                 write:FILE=TEXT    makes the file
 * await:FILE         until the file is there       append:FILE=TEXT   adds a line
 * follow:FILE        prints the file when it changes; goes on beside what follows
 * env:NAME           prints the variable           print:FILE         prints the file
 * tcp:PORT           greets with the pod's name, then echoes lines; goes on beside what follows
 * http:PORT[=FILE]   answers the pod's name; with FILE only while it exists, else 503
 * udp:PORT           answers each packet with the pod's name and the packet
 * eat:MIB            takes memory, and touches it
 * pause:SECONDS      does nothing for so long      stay:              for ever
 * term:ignore|CODE   what SIGTERM does; it is printed in any case. Unsaid: ends with 0
 * exit:CODE          ends
 * dial:HOST:PORT     connects, prints the greeting; fails where there is none within 3 s
 * ask:HOST:PORT      the same by UDP
 * get:URL            the same by HTTP, with the status before the body
 * hold:HOST:PORT     connects and sends a numbered line five times a second, printing each answer; prints "cut" at its end
 */
import { createSocket } from 'node:dgram'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer } from 'node:net'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

const ANSWER_MS = 3_000
const LOOK_MS = 100
const name = process.env.POD_NAME ?? hostname()
const eaten = []

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`)

/** @type {() => unknown} */
let onTerm = () => process.exit(0)
process.on('SIGTERM', () => {
  say('SIGTERM')
  onTerm()
})

/** @type {Record<string, (value: string) => unknown>} */
const VERBS = {
  say,
  write: (value) => writeFileSync(...pair(value)),
  append: (value) => {
    const [file, text] = pair(value)
    appendFileSync(file, `${text}\n`)
  },
  print: (file) => say(readFileSync(file, 'utf8').trimEnd()),
  env: (variable) => say(process.env[variable] ?? ''),
  await: async (file) => {
    while (!existsSync(file)) await pause(LOOK_MS)
  },
  follow: (file) => void follow(file),
  tcp: (port) => listening(createServer(greet), port),
  http: (value) => {
    const [port, gate] = pair(value)
    const open = () => gate === '' || existsSync(gate)
    return listening(
      createHttpServer((_, response) => response.writeHead(open() ? 200 : 503).end(`${name}\n`)),
      port,
    )
  },
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
    onTerm = value === 'ignore' ? () => undefined : () => process.exit(Number(value))
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

for (const word of process.argv.slice(2)) {
  const [, verb = '', value = ''] = /^([a-z]+):(.*)$/s.exec(word) ?? []
  const act = VERBS[verb]
  if (!act) throw new Error(`"${word}" is nothing that can be done`)
  await act(value)
}
// What serves goes on; a command that only asked is done.
if (!process.argv.some((word) => /^(tcp|http|udp|follow):/.test(word))) process.exit(0)

/** @param {string} value @returns {[string, string]} */
function pair(value) {
  const at = value.indexOf('=')
  return at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)]
}

/** @param {import('node:net').Server} server @param {string} port */
function listening(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(port), '0.0.0.0', () => resolve(undefined))
  })
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
