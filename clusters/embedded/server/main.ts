/** The embedded cluster's API server as a process of its own: `node main.ts '{"directory": "…", "port": 0}'`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Stripping the types of all these files takes longer than everything else at the start: it is done once.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compile'))
const { startServer } = await import('./server.ts')

const { directory, port, anonymousAuth, tokens } = JSON.parse(process.argv[2] ?? '{}')
if (typeof directory !== 'string') throw new Error('expected one JSON argument with a "directory"')

const server = await startServer({
  port: port ?? 0,
  log: (error) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
  ...(anonymousAuth === undefined ? {} : { anonymousAuth }),
  ...(tokens === undefined ? {} : { tokens }),
})
mkdirSync(directory, { recursive: true })
writeFileSync(join(directory, 'kubeconfig'), server.kubeconfig, { mode: 0o600 })
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void server.close().then(() => process.exit(0)))
}
process.stdout.write(`${JSON.stringify({ ready: true, port: server.port, version: server.version })}\n`)
