import type { ConfigMap } from '../src/contract/kubernetes.ts'
import { ifFound, isConflict } from '../src/kube/api-status-error.ts'
import type { KubeClient } from '../src/kube/client.ts'
import { collectionPath, objectPath } from '../src/kube/paths.ts'

/** Where a pool is kept. */
export interface PoolSite {
  readonly namespace: string
  readonly configMap: string
}

/** Sets an entry under any key at all, `__proto__` included. */
export function setEntry(data: Record<string, string>, address: string, text: string): void {
  Object.defineProperty(data, address, { value: text, enumerable: true, configurable: true, writable: true })
}

/** More conflicts in a row than any scenario provokes against a writer of its own. */
const WRITE_ATTEMPTS = 20

/**
 * The pool's ConfigMap as the suite itself sees and writes it: straight through the API, knowing nothing of the
 * implementation, so that neither can hide the other's mistakes.
 */
export class PoolConfigMap {
  readonly site: PoolSite
  readonly #kube: KubeClient
  readonly #signal: AbortSignal
  readonly #labels: Readonly<Record<string, string>>

  constructor(
    kube: KubeClient,
    site: PoolSite,
    signal: AbortSignal,
    labels: Readonly<Record<string, string>> = {},
  ) {
    this.#kube = kube
    this.site = site
    this.#signal = signal
    this.#labels = labels
  }

  /** Undefined where it does not exist. */
  async read(): Promise<ConfigMap | undefined> {
    return ifFound(this.#kube.get<ConfigMap>(this.#path, this.#signal))
  }

  /** The entries, none where the ConfigMap has no data; throws where it does not exist. */
  async entries(): Promise<Record<string, string>> {
    return (await this.#existing()).data ?? {}
  }

  /** Without data the ConfigMap has no such field at all. */
  async create(data?: Readonly<Record<string, string>>): Promise<ConfigMap> {
    const { namespace, configMap } = this.site
    return this.#kube.create<ConfigMap>(
      collectionPath('v1', 'configmaps', namespace),
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: configMap, namespace, labels: this.#labels },
        ...(data && { data }),
      },
      this.#signal,
    )
  }

  /** Changes the ConfigMap as another writer would, again on conflict; answers what it wrote. */
  async change(decide: (data: Record<string, string>, configMap: ConfigMap) => void): Promise<ConfigMap> {
    for (let attempt = 1; ; attempt++) {
      const current = await this.#existing()
      const data = { ...current.data }
      const next = { ...current, data }
      decide(data, next)
      try {
        return await this.#kube.update<ConfigMap>(this.#path, next, this.#signal)
      } catch (error) {
        if (!isConflict(error) || attempt === WRITE_ATTEMPTS) throw error
      }
    }
  }

  async delete(): Promise<void> {
    await this.#kube.delete(this.#path, undefined, this.#signal)
  }

  async #existing(): Promise<ConfigMap> {
    const found = await this.read()
    if (!found) throw new Error(`ConfigMap ${this.site.configMap} in ${this.site.namespace} does not exist`)
    return found
  }

  get #path(): string {
    return objectPath(collectionPath('v1', 'configmaps', this.site.namespace), this.site.configMap)
  }
}
