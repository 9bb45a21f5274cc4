import { fileURLToPath } from 'node:url'

/** What a real Kubernetes answered: never edited. */
export const OWN_RECORDINGS = fileURLToPath(new URL('./vectors', import.meta.url))
