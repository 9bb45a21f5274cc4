import { embedded } from './embedded/provider.ts'
import { kind } from './kind/provider.ts'
import { kubeconfig } from './kubeconfig/provider.ts'
import type { ClusterProvider } from './provider.ts'

/** Every rung of the ladder that can be chosen with --cluster. */
export const PROVIDERS: readonly ClusterProvider[] = [embedded, kind, kubeconfig]
