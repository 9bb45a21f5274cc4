import { execa } from 'execa'

/** The commit of the sources that ran, with `, with local changes` (new files too) where that is so; empty outside a repository. */
export async function readGitCommit(): Promise<string> {
  const [commit, changes] = await Promise.all([
    git('rev-parse', '--short=12', 'HEAD'),
    git('status', '--porcelain'),
  ])
  return commit && changes ? `${commit}, with local changes` : commit
}

/** What it printed; empty where it failed. */
async function git(...words: readonly string[]): Promise<string> {
  const { failed, stdout } = await execa('git', words, {
    cwd: import.meta.dirname,
    reject: false,
    timeout: 5000,
  })
  return failed ? '' : stdout
}
