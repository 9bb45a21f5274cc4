import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Where a run leaves what; everything else in the folder belongs to other commands and is left alone. */
export function reportPaths(reports: string) {
  return {
    acceptance: join(reports, 'acceptance.json'),
    acceptancePage: join(reports, 'acceptance.html'),
    messages: join(reports, 'messages.ndjson'),
    allureResults: join(reports, 'allure-results'),
    allure: join(reports, 'allure'),
    context: join(reports, 'run.json'),
  }
}

/** Removes the last run's reports, the verdict first: an old one must never pass for this run's. */
export async function clearReports(reports: string): Promise<void> {
  await mkdir(reports, { recursive: true })
  const { acceptance, ...others } = reportPaths(reports)
  await rm(acceptance, { force: true })
  await Promise.all(Object.values(others).map((path) => rm(path, { recursive: true, force: true })))
}
