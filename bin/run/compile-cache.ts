import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))

/**
 * Has every process and thread that this one starts share compiled code: a run is a dozen of them that load much the
 * same files, and the next run is a dozen more.
 */
export function shareCompileCache(environment: NodeJS.ProcessEnv = process.env): void {
  environment.NODE_COMPILE_CACHE ??= FOLDER
}
