import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `work` while no other process does so for the same key. The lock is a listening socket: the kernel gives it up
 * with its process, so it can't be left behind. Whoever waits holds a connection to it and wakes when that closes.
 */
export async function whileLocked<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const server = await acquire(socketAddress(key), signal)
  try {
    return await work()
  } finally {
    server.close()
    for (const socket of waiting.get(server) ?? []) socket.destroy()
  }
}

const waiting = new WeakMap<Server, Set<{ destroy(): void }>>()

async function acquire(address: string, signal: AbortSignal): Promise<Server> {
  for (;;) {
    signal.throwIfAborted()
    const server = await listen(address)
    if (server) return server
    await heldByAnother(address, signal)
  }
}

async function listen(address: string): Promise<Server | undefined> {
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  waiting.set(server, sockets)
  server.listen({ path: address })
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw error
  }
}

/** Resolves when the holder has let go, or was gone already. */
function heldByAnother(address: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect({ path: address }).resume()
  const stop = () => socket.destroy()
  signal.addEventListener('abort', stop)
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // Only where the socket is a file does it outlive its process.
    if (error.code === 'ECONNREFUSED' && !isAbstract(address)) rmSync(address, { force: true })
  })
  // Comes after an error as well.
  socket.on('close', () => {
    signal.removeEventListener('abort', stop)
    resolve()
  })
  return promise
}

function isAbstract(address: string): boolean {
  return address.startsWith('\0')
}

/** An abstract socket on Linux, which has no file; unix(7) allows 107 bytes. */
function socketAddress(key: string): string {
  const name = `poolwright-${createHash('sha256').update(`${process.getuid?.()} ${key}`).digest('hex').slice(0, 32)}`
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`)
}
