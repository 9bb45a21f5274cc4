import { randomBytes } from 'node:crypto'
import type { KubernetesObject } from '../src/contract/kubernetes.ts'
import { RUN_LABEL, SCENARIO_LABEL } from '../src/contract/names.ts'
import { isNotFound } from '../src/kube/api-status-error.ts'
import type { KubeClient } from '../src/kube/client.ts'
import { collectionPath, objectPath } from '../src/kube/paths.ts'
import { waitFor } from '../src/kube/wait-for.ts'

const NAMESPACES = collectionPath('v1', 'namespaces')

/** A name that no other scenario, attempt or run has. */
export function uniqueName(): string {
  return `pw-${randomBytes(5).toString('hex')}`
}

/** The labels of everything that a scenario creates, so that clean-up can find it. */
export function scenarioLabels(runId: string, scenario: string): Record<string, string> {
  return { [RUN_LABEL]: runId, [SCENARIO_LABEL]: scenario }
}

export async function createNamespace(
  kube: KubeClient,
  name: string,
  labels: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  await kube.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }, signal)
}

/** Starts the deletion and doesn't wait: on a real cluster it takes seconds, so absence is proven once, at the end. */
export async function deleteNamespace(kube: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  await kube.delete(objectPath(NAMESPACES, name), undefined, signal).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}

/** Waits until none of these namespaces exists any more; the failure names those that are left. */
export async function proveNamespacesAbsent(
  kube: KubeClient,
  runId: string,
  names: ReadonlySet<string>,
  limitMs: number,
): Promise<void> {
  await waitFor<KubernetesObject, true>(kube, {
    for: 'the namespaces of this run to be gone',
    path: NAMESPACES,
    labelSelector: `${RUN_LABEL}=${runId}`,
    until: (namespaces) => !namespaces.some(({ metadata }) => names.has(metadata?.name ?? '')) || undefined,
    show: ({ metadata }) => `${metadata?.name}`,
    limitMs,
    signal: AbortSignal.timeout(limitMs * 2),
  })
}
