import type { ClusterProvider, NodeOperations } from '../provider.ts'

/**
 * A real cluster whose nodes are containers on this machine. What it takes is loaded when it is used: nobody else waits
 * for it.
 */
export const kind: ClusterProvider = {
  rung: 'kind',
  settings: ['recreate', 'fromPackages', 'nodeImage', 'workloadImage', 'images', 'secondWorkers'],
  ownedByRun: false,
  up: async (request) => (await lifecycle()).up(request),
  status: async (name) => (await lifecycle()).status(name),
  down: async (name, request) => (await lifecycle()).down(name, request),
  release: async (name, runId) => (await lifecycle()).release(name, runId),
  nodes: {
    stopKubelet: async (on) => (await operations()).stopKubelet(on),
    startKubelet: async (on) => (await operations()).startKubelet(on),
    kill: async (on) => (await operations()).kill(on),
    bringBack: async (on) => (await operations()).bringBack(on),
  },
  outside: { run: async (on) => (await import('./outside-run.ts')).outsideVantage.run(on) },
}

function lifecycle(): Promise<typeof import('./lifecycle.ts')> {
  return import('./lifecycle.ts')
}

async function operations(): Promise<NodeOperations> {
  return (await import('./node-operations.ts')).nodeOperations
}
