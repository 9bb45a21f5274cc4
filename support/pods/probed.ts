import type { PodRequest } from './pod-template.ts'

const PORT = 8080
/** While it is there, probes are answered with success. */
const GATE = 'answers'
/** In the actor's words, for its own container. */
export const ANSWER = `write:${GATE}=`
export const ANSWER_NO_MORE = `remove:${GATE}`

/** What is asked for by each probe. */
export const PROBE_PATHS = { startup: '/startup', readiness: '/readiness', liveness: '/liveness' } as const

/** Each second, and every answer counts, unless it says otherwise. */
function probe(path: string, further: object = {}): object {
  return { httpGet: { path, port: PORT }, periodSeconds: 1, failureThreshold: 1, ...further }
}

/** Answers none of its three probes, and says who asked. */
export function slowStarter(): PodRequest {
  return {
    does: [`hear:${PORT}=${GATE}`, 'stay:'],
    container: {
      // Far more than the scenario takes.
      startupProbe: probe(PROBE_PATHS.startup, { failureThreshold: 600 }),
      readinessProbe: probe(PROBE_PATHS.readiness),
      livenessProbe: probe(PROBE_PATHS.liveness),
    },
  }
}

/** Answers until it is told otherwise. */
export function answering(kind: 'readiness' | 'liveness'): PodRequest {
  // A program that only just starts answers nobody, and must not be restarted for that.
  const patience = kind === 'liveness' ? { initialDelaySeconds: 1, failureThreshold: 2 } : {}
  return {
    does: [ANSWER, `http:${PORT}=${GATE}`, 'stay:'],
    container: { [`${kind}Probe`]: probe(PROBE_PATHS[kind], patience) },
  }
}

/** A sidecar that has started once it answers. */
export function startedSidecar(): { readonly does: readonly string[]; readonly container: object } {
  return {
    does: ['say:begins', `http:${PORT}`, 'stay:'],
    container: { restartPolicy: 'Always', startupProbe: probe('/', { failureThreshold: 60 }) },
  }
}
