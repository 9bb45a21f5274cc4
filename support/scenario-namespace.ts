import { randomBytes } from 'node:crypto'
import type { KubernetesObject } from '../src/contract/kubernetes.ts'
import { HOLDER_ANNOTATION, RUN_LABEL, SCENARIO_LABEL } from '../src/contract/names.ts'
import { ifFound } from '../src/kube/api-status-error.ts'
import type { KubeClient } from '../src/kube/client.ts'
import { collectionPath, objectPath } from '../src/kube/paths.ts'
import { waitFor } from '../src/kube/wait-for.ts'
import { RUN_CONTEXT_VARIABLE, readRunContext } from './run-context.ts'
import type { Holder } from './safety/holder.ts'
import { persist } from './safety/persist.ts'

export const NAMESPACES = collectionPath('v1', 'namespaces')

/** A name that no other scenario, attempt or run has; it begins as all of its run do, and as those of no other. */
export function uniqueName(run: string = runId()): string {
  return `${namespacePrefix(run)}${randomBytes(2).toString('hex')}-${randomBytes(3).toString('hex')}`
}

let known: string | undefined

/** A world that is made for a test of itself belongs to no run. */
function runId(): string {
  known ??= process.env[RUN_CONTEXT_VARIABLE] ? readRunContext().runId : randomBytes(3).toString('hex')
  return known
}

/** How all names of a run's scenarios begin: what is left of a namespace that is gone is known by it. */
export function namespacePrefix(run: string): string {
  return `pw-${run.slice(-6)}`
}

/** Whether a namespace of this name can be a scenario's. */
export function isScenarioNamespace(name: string): boolean {
  return /^pw-[0-9a-f]{10}(-[0-9a-f]{6})?$/.test(name)
}

/** The labels of everything that a scenario creates, so that clean-up can find it. */
export function scenarioLabels(runId: string, scenario: string): Record<string, string> {
  return { [RUN_LABEL]: runId, [SCENARIO_LABEL]: scenario }
}

/** It tells by its holder whether the run that made it is alive. */
export async function createNamespace(
  kube: KubeClient,
  name: string,
  labels: Record<string, string>,
  holder: Holder,
  signal: AbortSignal,
): Promise<void> {
  const annotations = { [HOLDER_ANNOTATION]: JSON.stringify(holder) }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations } }
  await kube.create(NAMESPACES, namespace, signal)
}

/** Starts the deletion and doesn't wait: on a real cluster it takes seconds, so absence is proven once, at the end. */
export async function deleteNamespace(kube: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  await ifFound(persist(signal, () => kube.delete(objectPath(NAMESPACES, name), undefined, signal)))
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
