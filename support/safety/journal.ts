import type { ConfigMap } from '../../src/contract/kubernetes.ts'
import { JOURNAL_LABEL, JOURNAL_NAMESPACE, RUN_LABEL } from '../../src/contract/names.ts'
import { isAlreadyExists, isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { EntryError, type JournalEntry, parseEntry, printEntry } from './entry.ts'
import { persist } from './persist.ts'

const ENTRIES = collectionPath('v1', 'configmaps', JOURNAL_NAMESPACE)

/** An entry as the cluster has it. */
export interface Recorded {
  /** Of its ConfigMap. */
  readonly name: string
  readonly entry: JournalEntry
}

/** A ConfigMap that says it is an entry, and isn't. */
export interface Unreadable {
  readonly name: string
  readonly problem: EntryError
}

/** Writes ahead what is about to be changed, one ConfigMap for each change. Safe to repeat where an answer is lost. */
export class Journal {
  readonly #kube: KubeClient

  constructor(kube: KubeClient) {
    this.#kube = kube
  }

  /** Resolves once the API has said that it is there. */
  async add(name: string, entry: JournalEntry, signal: AbortSignal): Promise<Recorded> {
    const labels = { [RUN_LABEL]: entry.run, [JOURNAL_LABEL]: '' }
    const metadata = { name, namespace: JOURNAL_NAMESPACE, labels }
    const data = { entry: printEntry(entry) }
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
    await persist(signal, async () => {
      try {
        await this.#kube.create(ENTRIES, configMap, signal)
      } catch (error) {
        // Of this name there is only one of ours: a first answer was lost.
        if (!isAlreadyExists(error)) throw error
        const found = await this.#kube.get<ConfigMap>(objectPath(ENTRIES, name), signal)
        if (found.data?.entry !== data.entry) throw error
      }
    })
    return { name, entry }
  }

  async replace({ name }: Recorded, entry: JournalEntry, signal: AbortSignal): Promise<Recorded> {
    const patch = { data: { entry: printEntry(entry) } }
    await persist(signal, () => this.#kube.patch(objectPath(ENTRIES, name), patch, 'merge', signal))
    return { name, entry }
  }

  async close(name: string, signal: AbortSignal): Promise<void> {
    await persist(signal, () => this.#kube.delete(objectPath(ENTRIES, name), undefined, signal)).catch(
      (error: unknown) => {
        if (!isNotFound(error)) throw error
      },
    )
  }

  /** Newest first: what was changed last is undone first. */
  async list(
    signal: AbortSignal,
  ): Promise<{ entries: readonly Recorded[]; unreadable: readonly Unreadable[] }> {
    const { objects } = await persist(signal, () =>
      listAll<ConfigMap>(this.#kube, { path: ENTRIES, labelSelector: JOURNAL_LABEL, signal }),
    )
    const entries: Recorded[] = []
    const unreadable: Unreadable[] = []
    for (const { metadata, data } of objects.toSorted(byAge)) {
      const name = metadata?.name ?? ''
      try {
        entries.push({ name, entry: parseEntry(data?.entry) })
      } catch (problem) {
        if (!(problem instanceof EntryError)) throw problem
        unreadable.push({ name, problem })
      }
    }
    return { entries, unreadable }
  }
}

/** `poolwright-journal-<run>-<worker>-000001`: within a run the name tells the order, across runs the API's clock does. */
export function entryName(run: string, worker: string, sequence: number): string {
  return `poolwright-journal-${run}-${worker}-${String(sequence).padStart(6, '0')}`
}

function byAge({ metadata: one }: ConfigMap, { metadata: other }: ConfigMap): number {
  const age = (other?.creationTimestamp ?? '').localeCompare(one?.creationTimestamp ?? '')
  return age || (other?.name ?? '').localeCompare(one?.name ?? '')
}
