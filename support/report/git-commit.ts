import { execa } from 'execa'

/** The commit of the sources that ran, with `, with local changes` where that is so; empty outside a repository. */
export async function readGitCommit(): Promise<string> {
  const options = { cwd: import.meta.dirname, reject: false, timeout: 5000 } as const
  const [commit, changes] = await Promise.all([
    execa('git', ['rev-parse', '--short=12', 'HEAD'], options),
    execa('git', ['status', '--porcelain', '--untracked-files=no'], options),
  ])
  if (commit.failed) return ''
  return changes.stdout ? `${commit.stdout}, with local changes` : commit.stdout
}
