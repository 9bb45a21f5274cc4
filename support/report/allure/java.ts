import { join } from 'node:path'
import { execa } from 'execa'

export const JAVA_ADVICE =
  'No Allure page: it is made by a Java program, and there is no Java here. Install one (Debian, Ubuntu: apt-get install default-jre-headless), then run "poolwright report generate".'

export interface Java {
  readonly command: string
  /** All that it says of itself. */
  readonly version: string
}

/** The Java that answers: JAVA_HOME's first, then the path's. Undefined where none does. */
export async function findJava(): Promise<Java | undefined> {
  const home = process.env.JAVA_HOME
  for (const candidate of [...(home ? [join(home, 'bin', 'java')] : []), 'java']) {
    const { failed, stderr } = await execa(candidate, ['-version'], { reject: false, timeout: 10_000 })
    if (!failed) return { command: candidate, version: stderr }
  }
  return undefined
}
