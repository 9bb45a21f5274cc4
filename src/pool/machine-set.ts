import { ApiFailure } from '../api/api-failure.ts'
import type { Resource } from '../api/kubernetes-api.ts'
import { pathOf } from '../api/resource-path.ts'
import { PoolwrightError } from '../contract/errors.ts'
import type { ByohHost, Options, SetByohRequest } from '../contract/implementation.ts'
import {
  FALLBACK_TEST_ID_ANNOTATION,
  MACHINE_API_NAMESPACE,
  MACHINE_OS_LABEL,
  MACHINE_SET_LABEL,
} from '../contract/names.ts'
import type { AddressType } from '../contract/pool.ts'
import { WaitLimitError, waitFor } from '../kube/wait-for.ts'
import { type ByohContext, sharedLimit, untilCancelled } from './byoh-context.ts'
import { waitUntilNodeGone, waitUntilNodeReady } from './byoh-node.ts'
import {
  callMachineApi,
  describeMachine,
  isFor,
  listMachineApi,
  MACHINE_SETS,
  MACHINES,
  type Machine,
  type MachineSet,
  removeFromMachineApi,
} from './machine-api.ts'
import { copyForTest, machineSetName } from './machine-set-copy.ts'
import type { PoolContext } from './pool.ts'

/**
 * Makes a MachineSet of one replica from the provider's settings of an existing Windows one, and waits until its
 * Machine is a Ready Node. Throws NodeNeverReady; what it made is then found by its annotation.
 */
export async function fallBackToMachineSet(
  context: ByohContext,
  request: SetByohRequest,
): Promise<{ machineSet: string; hosts: ByohHost[] }> {
  const machineSet = await createMachineSet(context, request)
  const left = sharedLimit(request.readyWithinMs)
  const machine = await waitForMachine(context, machineSet, left())
  const node = machine.status?.nodeRef?.name ?? ''
  const reached = await waitUntilNodeReady(context, node, left())
  if ('lastSeen' in reached) throw neverReady(machineSet, request.readyWithinMs, reached.lastSeen)
  const hosts = request.addressTypes.map((addressType): ByohHost => {
    const address = addressOf(machine, addressType)
    if (!address)
      throw neverReady(machineSet, request.readyWithinMs, `its Machine reports no ${addressType} address`)
    return { source: 'machine-set', address, addressType, node }
  })
  return { machineSet, hosts }
}

/** The MachineSets that setBYOH made for this test. */
async function findMachineSets(
  context: PoolContext,
  testId: string,
  options: Options,
): Promise<MachineSet[]> {
  return (await listMachineApi<MachineSet>(context, MACHINE_SETS, options)).filter((one) =>
    isFor(testId, one),
  )
}

/**
 * Removes every MachineSet and Machine of this test, and waits until they and their Nodes are gone; each name goes to
 * `removed` as soon as its deletion is accepted. Answers what could not be proven gone. Machines are looked for by
 * themselves too: their MachineSet may have been deleted by a clean-up that did not live to see them go.
 */
export async function removeMachineSets(
  context: ByohContext,
  testId: string,
  options: Options,
  limitMs: number,
  removed: string[],
): Promise<string[]> {
  const machineSets = await findMachineSets(context, testId, options)
  const machines = (await listMachineApi<Machine>(context, MACHINES, options)).filter((one) =>
    isFor(testId, one),
  )
  if (machineSets.length + machines.length === 0) return []
  for (const { metadata } of machineSets) {
    await removeFromMachineApi(context, MACHINE_SETS, metadata, options)
    removed.push(metadata?.name ?? '')
    context.journal.record('info', {
      operation: 'clean-up-byoh',
      decision: 'MachineSet deleted',
      reason: `annotated ${FALLBACK_TEST_ID_ANNOTATION}`,
      testId,
      address: metadata?.name ?? '',
    })
  }
  const left = sharedLimit(limitMs)
  const problems: string[] = []
  for (const collection of [MACHINE_SETS, MACHINES]) {
    const lastSeen = await waitUntilGone(context, collection, testId, left())
    if (lastSeen) problems.push(lastSeen)
  }
  for (const { status } of machines) {
    if (!status?.nodeRef?.name) continue
    const reached = await waitUntilNodeGone(context, status.nodeRef.name, left())
    if ('lastSeen' in reached) problems.push(reached.lastSeen)
  }
  return problems
}

async function createMachineSet(context: ByohContext, request: SetByohRequest): Promise<string> {
  const name = machineSetName(request.testId)
  const found = await listMachineApi<MachineSet>(context, MACHINE_SETS, request)
  const own = found.find(({ metadata }) => metadata?.name === name)
  if (own && isFor(request.testId, own)) return name
  const wanted = copyForTest(chooseTemplate(found, request), request.testId)
  await callMachineApi(context, request, (signal) => createOnce(context, wanted, request.testId, signal))
  context.journal.record('info', {
    operation: 'set-byoh',
    decision: `MachineSet ${MACHINE_API_NAMESPACE}/${name} created`,
    testId: request.testId,
  })
  return name
}

/** An answer may have been lost: what is there under this name and for this test is what was asked for. */
async function createOnce(
  context: PoolContext,
  wanted: MachineSet,
  testId: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await context.api.create(MACHINE_SETS, wanted, { signal })
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.kind !== 'exists') throw error
    const there = await context.api.get<MachineSet>(MACHINE_SETS, wanted.metadata?.name ?? '', { signal })
    if (!isFor(testId, there)) throw error
  }
}

function chooseTemplate(
  found: readonly MachineSet[],
  { machineSetTemplate: asked }: SetByohRequest,
): MachineSet {
  const usable = found
    .filter(({ metadata }) => metadata?.annotations?.[FALLBACK_TEST_ID_ANNOTATION] === undefined)
    .toSorted((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1))
  const chosen = usable.find(({ metadata, spec }) =>
    asked === undefined
      ? spec?.template?.metadata?.labels?.[MACHINE_OS_LABEL] === 'Windows'
      : metadata?.name === asked,
  )
  if (chosen) return chosen
  const wanted = asked === undefined ? `labelled ${MACHINE_OS_LABEL}=Windows` : `named ${asked}`
  throw new PoolwrightError(
    'InvalidRequest',
    `No MachineSet in ${MACHINE_API_NAMESPACE} is ${wanted}, so there is none to copy for the fallback.`,
  )
}

async function waitForMachine(context: ByohContext, machineSet: string, limitMs: number): Promise<Machine> {
  const { kube, signal } = context
  const what = `the Machine of MachineSet ${machineSet} to become a Node`
  try {
    const machine = await untilCancelled(context, `waiting for ${what}`, () =>
      waitFor<Machine, Machine>(kube, {
        for: what,
        path: pathOf(MACHINES),
        labelSelector: `${MACHINE_SET_LABEL}=${machineSet}`,
        until: (machines) =>
          machines.find(({ status }) => status?.nodeRef?.name || status?.phase === 'Failed'),
        show: describeMachine,
        limitMs,
        signal,
      }),
    )
    if (machine.status?.nodeRef?.name) return machine
    throw neverReady(machineSet, limitMs, describeMachine(machine))
  } catch (error) {
    if (error instanceof WaitLimitError) throw neverReady(machineSet, limitMs, error.lastSeen)
    throw error
  }
}

/** Undefined when all are gone, else what was last seen of them. */
async function waitUntilGone(
  context: ByohContext,
  collection: Resource,
  testId: string,
  limitMs: number,
): Promise<string | undefined> {
  const { kube, signal } = context
  const what = `the ${collection.plural} of test ${testId} to be gone`
  try {
    await untilCancelled(context, `waiting for ${what}`, () =>
      waitFor<Machine, true>(kube, {
        for: what,
        path: pathOf(collection),
        until: (found) => !found.some((one) => isFor(testId, one)) || undefined,
        show: (one) => (isFor(testId, one) ? `${one.kind} ${describeMachine(one)}` : ''),
        limitMs,
        signal,
      }),
    )
    return undefined
  } catch (error) {
    if (error instanceof WaitLimitError) return error.lastSeen.trim()
    throw error
  }
}

/** Kubernetes' own names for addresses of each type, best first. */
const ADDRESS_KINDS: Readonly<Record<AddressType, readonly string[]>> = {
  ip: ['InternalIP', 'ExternalIP'],
  dns: ['InternalDNS', 'Hostname', 'ExternalDNS'],
}

function addressOf({ status }: Machine, addressType: AddressType): string | undefined {
  const found = ADDRESS_KINDS[addressType].map((kind) => status?.addresses?.find(({ type }) => type === kind))
  return found.find((address) => address !== undefined)?.address
}

function neverReady(machineSet: string, limitMs: number, lastSeen: string): PoolwrightError {
  return new PoolwrightError(
    'NodeNeverReady',
    `MachineSet ${MACHINE_API_NAMESPACE}/${machineSet} brought up no Ready Node within ${limitMs} ms: ${lastSeen}.`,
  )
}
