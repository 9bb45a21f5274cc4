import { it } from 'node:test'
import { expect } from 'chai'
import { engineFolders } from './engine-folders.ts'

it('keeps everything in the cache folder', () => {
  const { dataRoot, socket, log } = engineFolders('/home/me/.cache/poolwright')
  expect(
    [dataRoot, socket, log].every((path) => path.startsWith('/home/me/.cache/poolwright/engine/')),
  ).to.equal(true)
})

it('puts its sockets elsewhere where the path is too long for one, for each cache folder its own', () => {
  const long = `/${'deep/'.repeat(30)}`
  const one = engineFolders(`${long}one`)
  expect(Buffer.byteLength(`${one.execRoot}/containerd/containerd-debug.sock.ttrpc`)).to.be.at.most(107)
  expect(one.dataRoot).to.include(long)
  expect(one.run).to.equal(engineFolders(`${long}one`).run)
  expect(one.run).to.not.equal(engineFolders(`${long}two`).run)
})
