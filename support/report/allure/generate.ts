import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { execa } from 'execa'
import type { RunContext } from '../../run-context.ts'
import { allureResultsFolder } from './cucumber-options.ts'
import { findJava, JAVA_ADVICE } from './java.ts'
import { withoutOutsideLoads } from './outside-loads.ts'
import { prepareResults } from './prepare.ts'

export interface AllureRequest {
  readonly context: RunContext
  readonly reports: string
  readonly signal?: AbortSignal
}

/** The page, or why there is none; a run's verdict never hangs on it. */
export type AllureOutcome =
  | { readonly page: string; readonly note?: never }
  | { readonly page?: never; readonly note: string }

const LIMIT_MS = 120_000

/** Makes reports/allure/index.html, one file that opens from disk and loads nothing, from reports/allure-results. */
export async function generateAllure({ context, reports, signal }: AllureRequest): Promise<AllureOutcome> {
  const results = allureResultsFolder(reports)
  if (!existsSync(results)) return { note: 'No Allure page: no scenario left a result.' }
  await prepareResults(results, context)
  const java = await findJava()
  if (!java) return { note: JAVA_ADVICE }
  const folder = join(reports, 'allure')
  const unfinished = join(reports, 'allure.unfinished')
  const title = `Poolwright on ${context.rung}, ${context.version}`
  const options = ['--single-file', '--clean', '--name', title, '--output', unfinished]
  const outcome = await execa(java, [...javaOptions(), 'generate', results, ...options], {
    reject: false,
    timeout: LIMIT_MS,
    env: { ALLURE_NO_ANALYTICS: 'true' },
    ...(signal && { cancelSignal: signal }),
  })
  if (outcome.failed) {
    await rm(unfinished, { recursive: true, force: true })
    return { note: `No Allure page: ${outcome.shortMessage} ${outcome.stderr.split('\n', 1)[0]}`.trim() }
  }
  const index = join(unfinished, 'index.html')
  await writeFile(index, withoutOutsideLoads(await readFile(index, 'utf8')))
  await rm(folder, { recursive: true, force: true })
  await rename(unfinished, folder)
  return { page: join(folder, 'index.html') }
}

/** Allure's own launcher is a shell script without these: for a program this short, compiling less halves its time. */
function javaOptions(): string[] {
  const home = join(
    dirname(createRequire(import.meta.url).resolve('allure-commandline/package.json')),
    'dist',
  )
  const classes = [join(home, 'lib', '*'), join(home, 'lib', 'config')].join(delimiter)
  return ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto', '-cp', classes, MAIN_CLASS]
}

const MAIN_CLASS = 'io.qameta.allure.CommandLine'
