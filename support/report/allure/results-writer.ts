import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Identified {
  readonly uuid: string
}

/**
 * Keeps Allure's result files, whole or not at all, without waiting for the disk after each: Allure's own writer
 * flushes every file, and with ten of them a scenario and a slow disk that took longer than the scenarios did. What a
 * killed process wrote is kept by the system all the same; only a machine that loses power loses the last seconds.
 */
export class ResultsWriter {
  readonly #folder: string
  #unfinished = 0

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
  }

  writeResult(result: Identified): void {
    this.#write(`${result.uuid}-result.json`, JSON.stringify(result))
  }

  writeGroup(group: Identified): void {
    this.#write(`${group.uuid}-container.json`, JSON.stringify(group))
  }

  writeAttachment(name: string, content: Buffer): void {
    this.#write(name, content)
  }

  /** Failures outside every scenario, such as those of a hook of the whole run. */
  writeGlobals(name: string, globals: object): void {
    this.#write(name, JSON.stringify(globals))
  }

  #write(name: string, content: string | Buffer): void {
    const unfinished = join(this.#folder, `.unfinished-${process.pid}-${this.#unfinished++}`)
    writeFileSync(unfinished, content)
    renameSync(unfinished, join(this.#folder, name))
  }
}
