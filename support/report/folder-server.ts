import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, sep } from 'node:path'

export interface FolderServer {
  /** `http://127.0.0.1:41234/`. */
  readonly url: string
  close(): Promise<void>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Serves a folder's files, read only, to this machine alone: on loopback, to requests that name it, and nothing that
 * lies outside the folder, whatever a path or a link says. Port 0 takes a free one.
 */
export async function serveFolder(folder: string, start: string, port = 0): Promise<FolderServer> {
  const root = await realpath(folder)
  const server = createServer((request, response) => {
    answer(root, start, request, response).catch(() => refuse(response, 404, 'There is no such file.'))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  root: string,
  start: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'Only GET and HEAD.')
  // Another site's name for this address (DNS rebinding) gets nothing.
  const name = request.headers.host?.replace(/:\d+$/, '')
  if (name !== '127.0.0.1' && name !== 'localhost') return refuse(response, 403, 'This server is local.')
  const path = decodeURIComponent((request.url ?? '/').split(/[?#]/, 1)[0] ?? '/')
  const asked = await realpath(join(root, path === '/' ? start : path))
  if (!asked.startsWith(root + sep)) return refuse(response, 404, 'There is no such file.')
  const info = await stat(asked)
  if (!info.isFile()) return refuse(response, 404, 'There is no such file.')
  response.writeHead(200, {
    'content-type': TYPES[extname(asked)] ?? 'application/octet-stream',
    'content-length': info.size,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  if (request.method === 'HEAD') response.end()
  else
    createReadStream(asked)
      .on('error', () => response.destroy())
      .pipe(response)
}

function refuse(response: ServerResponse, code: number, message: string): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`)
}
