import { execa } from 'execa'
import { UsageError } from '../src/contract/errors.ts'

/** The project's files that differ from a revision, new ones included. Throws a UsageError for a revision that does not exist. */
export async function listChangedFiles(root: string, since: string): Promise<Set<string>> {
  const changed = await git(root, ['diff', '-z', '--name-only', since, '--'])
  const added = await git(root, ['ls-files', '-z', '--others', '--exclude-standard'])
  return new Set([...changed, ...added])
}

async function git(cwd: string, words: readonly string[]): Promise<string[]> {
  const { failed, stdout, stderr, shortMessage } = await execa('git', words, { cwd, reject: false })
  if (failed) throw new UsageError(`git ${words[0]}: ${stderr || shortMessage}`)
  return stdout.split('\0').filter(Boolean)
}
