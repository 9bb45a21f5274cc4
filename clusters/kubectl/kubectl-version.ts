import { execa } from 'execa'

const LIMIT_MS = 15_000

/** The version a kubectl reports of itself; undefined where the program doesn't say one. */
export async function kubectlVersion(program: string): Promise<string | undefined> {
  const { stdout, failed } = await execa(program, ['version', '--client', '--output=json'], {
    reject: false,
    timeout: LIMIT_MS,
    stdin: 'ignore',
  })
  if (failed) return undefined
  try {
    return (JSON.parse(stdout) as { clientVersion?: { gitVersion?: string } }).clientVersion?.gitVersion
  } catch {
    return undefined
  }
}
