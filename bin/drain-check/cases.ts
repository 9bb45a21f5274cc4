import type { DrainConsent } from '../../support/drain/verdict.ts'

/** What a node has when it is drained. */
export interface DrainCase {
  readonly name: string
  readonly consent: DrainConsent
  /** By name. */
  readonly pods: Readonly<Record<string, PodPlan>>
  /** Pods that each budget wants, all of the namespace. */
  readonly budgets?: readonly number[]
  /** The budgets go as soon as the node is closed. */
  readonly budgetsGo?: boolean
  /** It never ends. */
  readonly isHeld?: boolean
  /** The namespace is deleted just before. */
  readonly namespaceGoes?: boolean
}

export interface PodPlan {
  /** Who replaces it; nobody where absent. */
  readonly owner?: 'ReplicaSet' | 'DaemonSet'
  readonly localData?: boolean
  /** It has ended, so or so. */
  readonly ended?: 'Succeeded' | 'Failed'
  /** It was asked to end before. */
  readonly leaving?: boolean
  /** It stands for a pod of the node’s own. */
  readonly mirror?: boolean
}

const REPLICATED: PodPlan = { owner: 'ReplicaSet' }
const DAEMON: PodPlan = { owner: 'DaemonSet' }
const ALL: DrainConsent = { force: true, deleteLocalData: true }

/** Each is tried by both, on a node of its own. */
export const CASES: readonly DrainCase[] = [
  { name: 'replicated pod', consent: {}, pods: { web: REPLICATED } },
  { name: 'bare pod', consent: {}, pods: { bare: {}, web: REPLICATED } },
  { name: 'bare pod, forced', consent: { force: true }, pods: { bare: {}, web: REPLICATED } },
  { name: 'emptyDir', consent: {}, pods: { cache: { ...REPLICATED, localData: true }, web: REPLICATED } },
  {
    name: 'emptyDir, agreed to',
    consent: { deleteLocalData: true },
    pods: { cache: { ...REPLICATED, localData: true } },
  },
  {
    name: 'bare pod with emptyDir, forced only',
    consent: { force: true },
    pods: { bare: { localData: true }, other: {} },
  },
  { name: 'bare pod with emptyDir, all agreed to', consent: ALL, pods: { bare: { localData: true } } },
  { name: 'DaemonSet', consent: {}, pods: { agent: DAEMON, web: REPLICATED } },
  { name: 'DaemonSet with emptyDir', consent: {}, pods: { agent: { ...DAEMON, localData: true } } },
  { name: 'DaemonSet, all agreed to', consent: ALL, pods: { agent: DAEMON, web: REPLICATED } },
  { name: 'budget', consent: {}, pods: { web: REPLICATED }, budgets: [1], isHeld: true },
  { name: 'budget that gives way', consent: {}, pods: { web: REPLICATED }, budgets: [1], budgetsGo: true },
  { name: 'two budgets', consent: {}, pods: { web: REPLICATED }, budgets: [0, 0] },
  {
    name: 'finished pods',
    consent: {},
    pods: { done: { ended: 'Succeeded' }, broken: { ended: 'Failed', localData: true } },
  },
  { name: 'terminating pod', consent: {}, pods: { leaving: { ...REPLICATED, leaving: true } } },
  {
    name: 'terminating pod under a budget',
    consent: {},
    pods: { leaving: { ...REPLICATED, leaving: true } },
    budgets: [1],
  },
  { name: 'terminating bare pod', consent: {}, pods: { leaving: { leaving: true } } },
  { name: 'terminating bare pod, forced', consent: { force: true }, pods: { leaving: { leaving: true } } },
  { name: 'static pod', consent: {}, pods: { static: { mirror: true }, web: REPLICATED } },
  { name: 'static pod with emptyDir', consent: {}, pods: { static: { mirror: true, localData: true } } },
  { name: 'namespace on its way out', consent: {}, pods: { web: REPLICATED }, namespaceGoes: true },
]
