/**
 * The parts of @kubernetes/client-node that connect needs. Its KubeConfig imports the index of everything generated,
 * a thousand models and clients, for two names: a second of CPU in every process. Here it gets those two names alone.
 */
import { registerHooks } from 'node:module'

const NEEDED = new URL('./client-node-needs.ts', import.meta.url).href

const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './gen/index.js' && context.parentURL?.endsWith('/@kubernetes/client-node/dist/config.js')
      ? { url: NEEDED, shortCircuit: true }
      : next(specifier, context),
})

/** Credentials, TLS and proxies of a kubeconfig's current context. */
export const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js').finally(() =>
  hooks.deregister(),
)
export {
  HttpMethod,
  RequestContext,
  type ResponseContext,
} from '@kubernetes/client-node/dist/gen/http/http.js'
/** Sends requests by fetch, through whatever agent KubeConfig chose. */
export { IsomorphicFetchHttpLibrary } from '@kubernetes/client-node/dist/gen/http/isomorphic-fetch.js'
