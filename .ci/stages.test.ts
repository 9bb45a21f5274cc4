import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const STAGES = fileURLToPath(new URL('./stages.ts', import.meta.url))
const LIMIT_MS = 60_000
const NO_ENGINE =
  (process.platform !== 'linux' || process.getuid?.() !== 0) && 'without root no engine can be installed'

let folder: string
const at = (...names: string[]): string => join(folder, ...names)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poolwright-ci-'))
  await mkdir(at('bin'))
  await place('git', 'exit 1')
  await place('go', 'exit 0')
  await place('docker', 'exit 1')
  await place('npm', `echo "$XDG_STATE_HOME: $*" >> '${at('said')}'; echo '1 passed, 0 failed'`)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a run of all stages', { skip: NO_ENGINE }, () => {
  it('takes down its own cluster and no other, and counts', async () => {
    const { output, code } = await run()
    expect(code).to.equal(0)
    expect(output).to.match(/\n7 passed, 0 failed\n$/)
    const said = (await readFile(at('said'), 'utf8')).trim().split('\n')
    const own = at('cache', 'poolwright', 'ci')
    expect(said.at(-3)).to.match(new RegExp(`^${own}: run --silent accept -- --cluster kind`))
    expect(said.at(-2)).to.equal(`${own}: run --silent drain-check -- --cluster kind`)
    expect(said.at(-1)).to.equal(`${own}: run --silent poolwright -- cluster down --cluster kind`)
  })

  it('that is interrupted early ends there, and counts', async () => {
    await place('npm', `case "$*" in 'test --silent') : > '${at('there')}'; exec sleep 60 ;; esac`)
    const { output, code } = await run(whenThere)
    expect(code).to.equal(130)
    expect(output).to.match(/\n2 passed, 1 failed\n$/)
  })

  it('that is interrupted still takes its cluster down, and still counts', async () => {
    await place(
      'npm',
      `echo "$*" >> '${at('said')}'; case "$*" in *'--cluster kind --from'*) : > '${at('there')}'; exec sleep 60 ;; esac`,
    )
    const { output, code } = await run(whenThere)
    expect(code).to.equal(130)
    expect(output).to.match(/\n5 passed, 1 failed\n$/)
    expect(await readFile(at('said'), 'utf8')).to.match(/cluster down --cluster kind\n$/)
  })
})

async function whenThere(kill: () => void): Promise<void> {
  while (!(await readFile(at('there')).catch(() => undefined))) await delay(10)
  kill()
}

async function run(meanwhile: (kill: () => void) => Promise<void> = () => Promise.resolve()) {
  const child = spawn(process.execPath, [STAGES], {
    env: { PATH: `${at('bin')}:/usr/bin:/bin`, HOME: folder, XDG_CACHE_HOME: at('cache') },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: LIMIT_MS,
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = once(child, 'close') as Promise<[number | null]>
  await meanwhile(() => child.kill('SIGTERM'))
  const [code] = await ended
  return { code, output: Buffer.concat(chunks).toString() }
}

async function place(name: string, script: string): Promise<void> {
  await writeFile(at('bin', name), `#!/bin/sh\n${script}\n`)
  await chmod(at('bin', name), 0o755)
}
