import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { UsageError } from '../../src/contract/errors.ts'
import { clusterDirectory, createDirectory, removeDirectory } from './cluster-directory.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poolwright-state-'))
  await writeFile(join(folder, 'file'), '')
})
after(() => rm(folder, { recursive: true }))

const inState = (state: string) => clusterDirectory('embedded', 'one', { XDG_STATE_HOME: state })
const refusal = (state: string) => createDirectory(inState(state)).catch((error: unknown) => error)

describe('the folder of a cluster', () => {
  it('is made for its user alone, with those above it', async () => {
    const directory = inState(join(folder, 'a', 'b'))
    await createDirectory(directory)
    expect((await stat(directory)).mode & 0o777).to.equal(0o700)
    await removeDirectory(directory)
  })

  it('is refused below a file, which is named together with the variable that led there', async () => {
    const error = await refusal(join(folder, 'file'))
    expect(error).to.be.instanceOf(UsageError)
    expect((error as Error).message).to.match(/one: .*\/file is no folder; XDG_STATE_HOME/)
  })

  it('is refused on a file system that takes no folders, instead of never coming back', {
    skip: process.platform !== 'linux' && 'needs /proc',
  }, async () => {
    const error = await refusal('/proc')
    expect(error).to.be.instanceOf(UsageError)
    expect((error as Error).message).to.match(/no folder can be made in \/proc .*XDG_STATE_HOME/)
  })

  it('is nothing to remove where it can not be', async () => {
    await removeDirectory(inState(join(folder, 'file')))
  })

  it('is refused to a name that could not be a folder of its own', () => {
    for (const name of ['', '..', 'a/b', 'Upper', '-dash', 'x'.repeat(64)]) {
      expect(() => clusterDirectory('embedded', name), name).to.throw(UsageError)
    }
  })

  it('is another one on each rung, whatever its name', () => {
    const of = (rung: string, name: string) => clusterDirectory(rung, name, {})
    expect(of('embedded', 'kind-default')).to.not.equal(of('kind', 'default'))
    expect(of('embedded', 'default')).to.not.equal(of('kind', 'default'))
  })

  it('is never relative to where the command happens to run', () => {
    expect(inState('here')).to.equal(join(homedir(), '.cache', 'poolwright', 'clusters', 'embedded', 'one'))
  })
})
