/** `npm test`: everything that can be checked without an outside cluster. */
import { fileURLToPath } from 'node:url'
import type { Check } from './checks/check.ts'
import { features } from './checks/features.ts'
import { programCheck } from './checks/program-check.ts'
import { runChecks } from './checks/run-checks.ts'
import { scenarioLint } from './checks/scenario-lint.ts'
import { unitTestsIn } from './checks/unit-tests.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** In stages; the checks of one stage run side by side. */
const STAGES: readonly (readonly Check[])[] = [
  [
    programCheck('types', 'tsc', ['--noEmit', '--project', '.']),
    programCheck('format and lint', 'biome', ['ci', '.']),
    programCheck('dead code', 'knip', []),
    scenarioLint,
  ],
  [unitTestsIn(ROOT)],
  [features],
]

// Every test file is a process, and what they load is much the same.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url))

process.exitCode = await runChecks(STAGES)
