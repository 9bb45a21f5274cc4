import { fileURLToPath } from 'node:url'
import { loadVectors } from '../load-vectors.ts'
import { OWN_RECORDINGS } from '../own-recordings.ts'
import { probeOmissions } from './omissions.ts'
import { renderGaps } from './page.ts'
import { probeRefusals } from './probes.ts'
import { versionGaps } from './unserved.ts'

export const GAPS_PAGE = fileURLToPath(new URL('../../docs/gaps.md', import.meta.url))

/** The page as it should be today. */
export async function gapsPage(signal: AbortSignal): Promise<string> {
  const [versions, refusals, omissions, categories] = await Promise.all([
    versionGaps(),
    probeRefusals(signal),
    probeOmissions(signal),
    loadVectors(OWN_RECORDINGS),
  ])
  return renderGaps({ versions, refusals, omissions, categories })
}
