import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { execa } from 'execa'
import type { RunContext } from '../../run-context.ts'
import { type ClassArchive, classArchive } from './class-archive.ts'
import { allureResultsFolder, REPORTER_OUTPUT } from './cucumber-options.ts'
import { JAVA_ADVICE, type Java } from './java.ts'
import { writeRunMetadata } from './metadata.ts'
import { withoutOutsideLoads } from './outside-loads.ts'

export interface AllureRequest {
  readonly context: RunContext
  readonly reports: string
  /** Looked for beside other work. */
  readonly java: Promise<Java | undefined>
  readonly signal?: AbortSignal
}

/** The page, or why there is none; a run's verdict never hangs on it. */
export type AllureOutcome =
  | { readonly page: string; readonly note?: never }
  | { readonly page?: never; readonly note: string }

const LIMIT_MS = 120_000

/**
 * Starts to make reports/allure/index.html, one file that opens from disk and loads nothing, from
 * reports/allure-results. Resolves once Java runs, which does most of it beside whatever the caller does next.
 */
export async function startAllure(
  request: AllureRequest,
): Promise<{ readonly outcome: Promise<AllureOutcome> }> {
  const { context, reports } = request
  const results = allureResultsFolder(reports)
  const noPage = (note: string) => ({ outcome: Promise.resolve({ note }) })
  if (!existsSync(results)) return noPage('No Allure page: no scenario left a result.')
  await rm(join(results, REPORTER_OUTPUT), { force: true })
  await writeRunMetadata(results, context)
  const java = await request.java
  if (!java) return noPage(JAVA_ADVICE)
  const archive = await classArchive(java, CLASSES, (await readdir(results)).length)
  return { outcome: generate(request, java, archive) }
}

async function generate(
  { context, reports, signal }: AllureRequest,
  java: Java,
  archive: ClassArchive,
): Promise<AllureOutcome> {
  const folder = join(reports, 'allure')
  const unfinished = join(reports, 'allure.unfinished')
  const title = `Poolwright on ${context.rung}, ${context.version}`
  const options = ['--single-file', '--clean', '--name', title, '--output', unfinished]
  const outcome = await execa(
    java.command,
    [...JAVA_OPTIONS, ...archive.options, ...PROGRAM, 'generate', allureResultsFolder(reports), ...options],
    {
      reject: false,
      timeout: LIMIT_MS,
      env: { ...UNICODE, ALLURE_NO_ANALYTICS: 'true' },
      ...(signal && { cancelSignal: signal }),
    },
  )
  await (outcome.failed ? archive.drop() : archive.keep())
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

const HOME = join(dirname(createRequire(import.meta.url).resolve('allure-commandline/package.json')), 'dist')
const CLASSES = [join(HOME, 'lib', '*'), join(HOME, 'lib', 'config')].join(delimiter)
const PROGRAM = ['-cp', CLASSES, 'io.qameta.allure.CommandLine']
/** Java reads its arguments, the names of files and the text in them as the locale says; all of ours are UTF-8. */
const UNICODE = { LC_ALL: 'C.UTF-8' }
/** Allure's own launcher is a shell script without these: for a program this short, compiling less halves its time. */
const JAVA_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
