import { runTool } from '../run-tool.ts'
import type { Engine } from './engine.ts'

/**
 * Frees what no image with a name needs: every rebuilt image leaves its predecessor on disk. On an engine that is not
 * ours only what we made goes. Answers what docker says it freed.
 */
export async function pruneEngine(engine: Engine, signal: AbortSignal): Promise<readonly string[]> {
  const run = { for: 'pruning the container engine', signal, env: engine.environment }
  const images = ['image', 'prune', '--force']
  if (!engine.ours)
    return [await runTool('docker', [...images, '--filter', 'label=poolwright.dev/inputs'], run)]
  return [await runTool('docker', images, run), await runTool('docker', ['builder', 'prune', '--force'], run)]
}
