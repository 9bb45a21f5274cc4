import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Machine } from './system/machine.ts'
import { ensureSystemPackages } from './system-packages.ts'

let folder: string
let said: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'poolwright-apt-'))
  said = []
})
afterEach(() => rmSync(folder, { recursive: true }))

/** An apt-get that notes what it is asked; it brings Java, but only once the package lists were fetched. */
function placeAptGet(): void {
  const script = `#!/bin/sh
PATH=/usr/bin:/bin
echo "$*" >> ${folder}/asked
case "$*" in
  *update*) : > ${folder}/lists ;;
  *) [ -e ${folder}/lists ] || { echo 'Unable to locate package' >&2; exit 100; }
     : > ${folder}/java; chmod +x ${folder}/java ;;
esac
`
  writeFileSync(join(folder, 'apt-get'), script)
  chmodSync(join(folder, 'apt-get'), 0o755)
}

const debian = (change: Partial<Machine> = {}): Machine => ({
  root: true,
  osRelease: 'NAME="Some"\nID=something\nID_LIKE="ubuntu debian"\n',
  environment: { PATH: folder },
  ...change,
})

const ensure = (machine: Machine, allowed = true) =>
  ensureSystemPackages(['jre'], {
    allowed,
    machine,
    signal: AbortSignal.timeout(30_000),
    say: (line) => said.push(line),
  })

const asked = () => readFileSync(join(folder, 'asked'), 'utf8')

describe('distribution packages', () => {
  it('are installed as root on Debian and what is made from it, with a line that says so', async () => {
    placeAptGet()
    expect(await ensure(debian())).to.deep.equal([])
    expect(said).to.have.length(1)
    expect(said[0]).to.match(/Installing default-jre-headless .*--no-system-packages/)
    expect(asked()).to.match(/install .*default-jre-headless\n.*update\n.*install/)
  })

  it('bring what their program is of no use without', async () => {
    placeAptGet()
    await ensureSystemPackages(['debootstrap'], {
      allowed: true,
      machine: debian(),
      signal: AbortSignal.timeout(30_000),
      say: (line) => said.push(line),
    })
    expect(asked()).to.match(/install .* debootstrap debian-archive-keyring$/m)
    expect(said[0]).to.include('debootstrap and debian-archive-keyring')
  })

  for (const [what, change, allowed] of [
    ['forbidden', {}, false],
    ['asked for by somebody else than root', { root: false }, true],
    ['for another system', { osRelease: 'ID=fedora\n' }, true],
  ] as const) {
    it(`are never installed when ${what}`, async () => {
      placeAptGet()
      expect(await ensure(debian(change), allowed)).to.deep.equal(['jre'])
      expect(said).to.deep.equal([])
      expect(() => asked()).to.throw()
    })
  }

  it('are not touched when the program is there', async () => {
    placeAptGet()
    writeFileSync(join(folder, 'java'), '')
    chmodSync(join(folder, 'java'), 0o755)
    expect(await ensure(debian())).to.deep.equal([])
    expect(() => asked()).to.throw()
  })
})
