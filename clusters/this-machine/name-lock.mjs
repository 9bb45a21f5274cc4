// Plain JavaScript for Node 20: the bootstrap takes this lock too, before there is anything that runs TypeScript.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `work` while no other process of this user does so for the same key. The lock is a listening socket: the kernel
 * gives it up with its process, so it can't be left behind. Whoever waits holds a connection to it and wakes when that
 * closes. Rejects with the signal's reason when that aborts first.
 *
 * @template T
 * @param {string} key
 * @param {AbortSignal} signal
 * @param {() => Promise<T>} work
 * @param {() => void} [onWait] called once when another process has the lock
 * @returns {Promise<T>}
 */
export async function whileLocked(key, signal, work, onWait = () => undefined) {
  const held = await acquire(socketAddress(key), signal, onWait)
  try {
    return await work()
  } finally {
    held.release()
  }
}

/**
 * @param {string} address
 * @param {AbortSignal} signal
 * @param {() => void} onWait
 */
async function acquire(address, signal, onWait) {
  for (let waited = false; ; waited = true) {
    signal.throwIfAborted()
    const held = await listen(address)
    if (held) return held
    if (!waited) onWait()
    signal.throwIfAborted()
    await heldByAnother(address, signal)
  }
}

/**
 * @param {string} address
 * @returns {Promise<{ release(): void } | undefined>} undefined where another process listens
 */
function listen(address) {
  /** @type {Set<import('node:net').Socket>} */
  const waiting = new Set()
  const server = createServer((socket) => {
    waiting.add(socket)
    socket.on('error', () => undefined).on('close', () => waiting.delete(socket))
  })
  const release = () => {
    server.close()
    for (const socket of waiting) socket.destroy()
  }
  return new Promise((resolve, reject) => {
    server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen({ path: address }, () => resolve({ release }))
  })
}

/**
 * Resolves when the holder has let go, or was gone already.
 *
 * @param {string} address
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function heldByAnother(address, signal) {
  return new Promise((resolve) => {
    const socket = connect({ path: address }).resume()
    const stop = () => socket.destroy()
    signal.addEventListener('abort', stop)
    socket.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      // Only where the socket is a file does it outlive its process.
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) rmSync(address, { force: true })
    })
    // Comes after an error as well.
    socket.on('close', () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
  })
}

/**
 * An abstract socket on Linux, which has no file; unix(7) allows 107 bytes.
 *
 * @param {string} key
 */
function socketAddress(key) {
  const digest = createHash('sha256').update(`${process.getuid?.()} ${key}`).digest('hex').slice(0, 32)
  return process.platform === 'linux' ? `\0poolwright-${digest}` : join(tmpdir(), `poolwright-${digest}.sock`)
}
