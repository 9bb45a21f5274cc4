/**
 * Every error an operation can end with, in one place: docs/error-scenarios.md is checked against this list.
 * `fallbackAllowed` says whether setBYOH may go on with a MachineSet.
 */
export interface ErrorKind {
  readonly fallbackAllowed: boolean
  readonly cause: string
  readonly remedy: string
}

export const ERROR_KINDS = {
  PoolMissing: {
    fallbackAllowed: true,
    cause: 'The pool’s ConfigMap does not exist.',
    remedy: 'Create the ConfigMap, or name another one with --config-map and --namespace.',
  },
  NamespaceMissing: {
    fallbackAllowed: true,
    cause: 'The namespace that should hold the pool’s ConfigMap does not exist.',
    remedy: 'Install the Windows Machine Config Operator, or name another namespace with --namespace.',
  },
  PoolEmpty: {
    fallbackAllowed: true,
    cause: 'The ConfigMap exists but holds no entries.',
    remedy: 'Add a host: poolwright pool add ADDRESS --username USER --platform PLATFORM.',
  },
  NoneAvailable: {
    fallbackAllowed: true,
    cause: 'Entries match, but none of them can be handed out now.',
    remedy: 'Wait for a release, reclaim expired leases, repair quarantined hosts, or add one.',
  },
  PlatformMismatch: {
    fallbackAllowed: true,
    cause: 'No well-formed entry is of the platform asked for.',
    remedy: 'Ask for one of the platforms named in the message, or add a host of this platform.',
  },
  AddressTypeMismatch: {
    fallbackAllowed: true,
    cause: 'No well-formed entry of this platform has the address type asked for.',
    remedy: 'Ask for the other address type, or add a host under an address of this type.',
  },
  EntryMissing: {
    fallbackAllowed: false,
    cause: 'The ConfigMap has no entry of this address.',
    remedy: 'List the pool for the addresses it has.',
  },
  EntryMalformed: {
    fallbackAllowed: false,
    cause: 'The entry cannot be read, so it is set aside and left as it is.',
    remedy: 'Mend the field named in the message by hand; Poolwright never rewrites what it cannot read.',
  },
  EntryExists: {
    fallbackAllowed: false,
    cause:
      'The pool already has an entry of this address, or somebody else has listed the host in windows-instances.',
    remedy: 'Remove the old entry first, or add the host under another address.',
  },
  AddressRefused: {
    fallbackAllowed: false,
    cause: 'The address cannot be a key of the pool.',
    remedy: 'Use a lower-case DNS name or an IPv4 address.',
  },
  InvalidTransition: {
    fallbackAllowed: false,
    cause: 'An entry may not move from the state it is in to the one asked for.',
    remedy: 'See the table of transitions in docs/node-pool.md.',
  },
  NotTheHolder: {
    fallbackAllowed: false,
    cause: 'The node is held by another test, or by an earlier or later lease than the one named.',
    remedy: 'Only the holder may release or renew; reclaim expired leases instead.',
  },
  PoolFull: {
    fallbackAllowed: false,
    cause: 'The ConfigMap would grow beyond the 1 MiB that Kubernetes stores.',
    remedy: 'Remove entries, or split the pool over two ConfigMaps.',
  },
  AttemptsExhausted: {
    fallbackAllowed: false,
    cause: 'Every attempt met a conflict or a transient failure.',
    remedy: 'Try again, allow more attempts, or set a deadline instead of a count.',
  },
  DeadlineExceeded: {
    fallbackAllowed: false,
    cause: 'The deadline of the operation passed.',
    remedy: 'Allow a longer deadline, or find out why the API is slow.',
  },
  Forbidden: {
    fallbackAllowed: false,
    cause: 'The API refuses this to the identity used.',
    remedy: 'Grant the verb and resource named in the message.',
  },
  ApiRejected: {
    fallbackAllowed: false,
    cause: 'The API refused a request for a reason that another attempt will not change.',
    remedy: 'Read the API’s own message, which is part of this one.',
  },
  NodeNeverReady: {
    fallbackAllowed: false,
    cause: 'The host, or the MachineSet’s Machine, did not become a Ready Node within the limit.',
    remedy:
      'Read the operator’s log for this host; what was set up has been undone, and a host of the pool is quarantined.',
  },
  CleanUpIncomplete: {
    fallbackAllowed: false,
    cause: 'Clean-up could not prove that what it removed is gone.',
    remedy: 'Run the clean-up again: it is safe to repeat.',
  },
  InvalidRequest: {
    fallbackAllowed: false,
    cause: 'The request itself is wrong.',
    remedy: 'Correct the argument named in the message.',
  },
  Cancelled: {
    fallbackAllowed: false,
    cause: 'The caller gave up before the operation ended.',
    remedy: 'Nothing; an allocation that had already happened is found again under the same test id.',
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof ERROR_KINDS
