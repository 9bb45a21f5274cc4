import { existsSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A private folder of kubeconfigs that lead to one proxy; `remove` leaves nothing behind. */
export class KubeconfigFolder {
  readonly #files: string[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'poolwright-interference-'))

  /** Writes a kubeconfig readable by its owner alone and answers its path. */
  write(name: string, server: string, token: string): string {
    const path = join(this.#folder, `${name}.json`)
    const entry = 'interference'
    const content = {
      apiVersion: 'v1',
      kind: 'Config',
      // Plain HTTP never leaves the loopback interface; client-node asks for the flag to allow it.
      clusters: [{ name: entry, cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: entry, user: { token } }],
      contexts: [{ name: entry, context: { cluster: entry, user: entry } }],
      'current-context': entry,
    }
    this.#files.push(path)
    writeFileSync(path, JSON.stringify(content), { mode: 0o600 })
    return path
  }

  remove(): void {
    for (const path of this.#files.splice(0)) rmSync(path, { force: true })
    if (existsSync(this.#folder)) rmdirSync(this.#folder)
  }
}
