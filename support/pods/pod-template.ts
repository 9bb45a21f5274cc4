import type { Toleration } from '../../src/contract/cluster-roles.ts'

/** What a scenario says of a pod; the rest is the same for all. */
export interface PodRequest {
  /** What its only container does, in the actor's words (`support/pods/actor.mjs`). */
  readonly does: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  /** Name of the one node that it may run on. */
  readonly node?: string
  readonly tolerations?: readonly object[]
  /** Further fields of the container: probes, ports, resources, mounts, environment. */
  readonly container?: object
  /** Containers that come before it, in this order. */
  readonly initContainers?: readonly InitContainerRequest[]
  /** Further fields of the pod's spec: volumes, restart policy, grace period. */
  readonly spec?: object
}

/** A sidecar has `restartPolicy: Always` among its further fields. */
export interface InitContainerRequest {
  readonly name: string
  readonly does: readonly string[]
  readonly container?: object
}

/** Where programs of the suite come from. */
export interface ProgramSource {
  readonly image: string
  /** The ConfigMap that holds the actor, in the pod's own namespace. */
  readonly configMap: string
}

/** A pod template as the API takes it. */
export interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: Readonly<Record<string, unknown>>
}

/** Where pods find the actor. */
const PROGRAM = '/poolwright/actor.mjs'
const VOLUME = 'poolwright-program'
/** Unless a scenario is about grace: programs here end at once when asked, and one that hangs holds up nobody. */
const GRACE_SECONDS = 5

/** A command line of the actor. */
export function actorCommand(does: readonly string[]): readonly string[] {
  return ['node', PROGRAM, ...does]
}

/** A container that runs the actor, `main` unless its further fields say another name. */
function actorContainer({ image }: ProgramSource, does: readonly string[], further: object = {}): object {
  const { volumeMounts = [], env = [], ...rest } = further as Partial<Record<string, readonly object[]>>
  return {
    name: 'main',
    image,
    imagePullPolicy: 'IfNotPresent',
    command: actorCommand(does),
    env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }, ...env],
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    ...rest,
    volumeMounts: [{ name: VOLUME, mountPath: '/poolwright', readOnly: true }, ...volumeMounts],
  }
}

/** Nothing of it leans on a particular cluster: an image by tag, never pulled where it is there, and a ConfigMap. */
export function podTemplate(
  source: ProgramSource,
  labels: Readonly<Record<string, string>>,
  request: PodRequest,
): PodTemplate {
  const { volumes = [], ...spec } = (request.spec ?? {}) as { volumes?: readonly object[] }
  return {
    metadata: { labels: { ...labels, ...request.labels } },
    spec: {
      terminationGracePeriodSeconds: GRACE_SECONDS,
      automountServiceAccountToken: false,
      // Nodes that somebody plays, Windows hosts among them, say no such thing of themselves.
      nodeSelector: {
        'kubernetes.io/os': 'linux',
        ...(request.node !== undefined && { 'kubernetes.io/hostname': request.node }),
      },
      ...(request.tolerations && { tolerations: request.tolerations }),
      ...(request.initContainers && {
        initContainers: request.initContainers.map(({ name, does, container }) =>
          actorContainer(source, does, { name, ...container }),
        ),
      }),
      containers: [actorContainer(source, request.does, request.container)],
      ...spec,
      volumes: [{ name: VOLUME, configMap: { name: source.configMap } }, ...volumes],
    },
  }
}

/** Where instruments run, so that no drill takes them away. */
export function onInstruments({
  node,
  tolerations,
}: {
  node: string
  tolerations: readonly Toleration[]
}): Pick<PodRequest, 'node' | 'tolerations'> {
  return { node, tolerations }
}
