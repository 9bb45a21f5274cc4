import { fileURLToPath } from 'node:url'
import { findings } from '../lint/findings.ts'
import { readNatures } from '../lint/scenario-natures.ts'
import type { Check } from './check.ts'

const FEATURES = fileURLToPath(new URL('../../features', import.meta.url))

/** That every scenario which changes a cluster says so; each counts as one. */
export const scenarioLint: Check = {
  name: 'lint of scenarios',
  run: async () => {
    const natures = await readNatures([FEATURES])
    const found = findings(natures)
    const failed = found.filter(({ weight }) => weight === 'refused').length
    const output = found.map(({ weight, place, message }) => `${place}: ${weight}: ${message}`).join('\n')
    return { passed: natures.length - failed, failed, skipped: 0, output }
  },
}
