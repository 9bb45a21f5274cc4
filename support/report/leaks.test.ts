import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { stringify } from 'yaml'
import { blotOutLeaks, stateOf } from './leaks.ts'
import { readSecrets } from './secrets.ts'

const TOKEN = 'planted-token-3f9a"c1/7e+5d'
const KEY_LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7planted'
const KEY = `-----BEGIN PRIVATE KEY-----\n${KEY_LINE}\nshort\n-----END PRIVATE KEY-----\n`

describe('secrets of a run', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'poolwright-leaks-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const kubeconfig = async (user: Record<string, unknown>) => {
    const path = join(folder, 'kubeconfig')
    await writeFile(path, stringify({ users: [{ name: 'admin', user }] }))
    return path
  }

  it('are the token, the password and the private key of each user', async () => {
    const data = Buffer.from(KEY).toString('base64')
    const secrets = await readSecrets([
      await kubeconfig({ token: TOKEN, password: 'planted-password', 'client-key-data': data }),
    ])
    expect(secrets.map(({ value }) => value)).to.have.members([TOKEN, 'planted-password', data, KEY_LINE])
  })

  it('may lie in files beside the kubeconfig', async () => {
    await writeFile(join(folder, 'key.pem'), KEY)
    await writeFile(join(folder, 'token'), `${TOKEN}\n`)
    const secrets = await readSecrets([await kubeconfig({ tokenFile: 'token', 'client-key': 'key.pem' })])
    expect(secrets.map(({ value }) => value)).to.have.members([TOKEN, KEY_LINE])
  })

  it('are none where the kubeconfig is gone, or has certificates only', async () => {
    const path = await kubeconfig({ 'client-certificate-data': 'public-public-public' })
    expect(await readSecrets([path, join(folder, 'gone')])).to.deep.equal([])
  })

  const spellings: [string, (secret: string) => string][] = [
    ['as it is', (secret) => secret],
    ['in JSON', (secret) => JSON.stringify({ header: `Bearer ${secret}` })],
    ['in an address', (secret) => encodeURIComponent(secret)],
    ['in base64', (secret) => Buffer.from(secret).toString('base64')],
    ['in base64 behind one byte', (secret) => Buffer.from(`a${secret}z`).toString('base64')],
    ['in base64 behind two bytes', (secret) => Buffer.from(`ab${secret}yz`).toString('base64')],
  ]
  for (const [how, spell] of spellings) {
    it(`are found and blotted out ${how}`, async () => {
      const reports = join(folder, 'reports')
      await mkdir(join(reports, 'deep'), { recursive: true })
      const path = join(reports, 'deep', 'evidence.txt')
      const content = `before ${spell(TOKEN)} after`
      await writeFile(path, content)
      await writeFile(join(reports, 'innocent.txt'), 'nothing to see')
      const leaks = blotOutLeaks(reports, [{ what: 'token of user admin', value: TOKEN }])
      expect(leaks).to.have.length(1)
      expect(leaks[0]).to.contain(join('deep', 'evidence.txt')).and.contain('token of user admin')
      expect(leaks[0]).not.to.contain(TOKEN)
      const left = await readFile(path, 'utf8')
      expect(left)
        .to.have.length(content.length)
        .and.match(/^before .*xxxx.* after$/)
      expect(blotOutLeaks(reports, [{ what: 'token', value: TOKEN }])).to.deep.equal([])
    })
  }

  it('are looked for again in files that are new or were written to since, even to the same length', async () => {
    const secrets = [{ what: 'token', value: TOKEN }]
    const clean = new Map<string, string>()
    const innocent = join(folder, 'innocent.txt')
    await writeFile(innocent, 'x'.repeat(TOKEN.length))
    expect(blotOutLeaks(folder, secrets, clean)).to.deep.equal([])
    await writeFile(innocent, TOKEN)
    await writeFile(join(folder, 'new.txt'), TOKEN)
    const leaks = blotOutLeaks(folder, secrets, clean)
    expect(leaks.map((leak) => leak.split(' ', 1)[0])).to.deep.equal(['innocent.txt', 'new.txt'])
    expect(blotOutLeaks(folder, secrets, clean)).to.deep.equal([])
  })

  it('are not looked for twice in a file that is as it was', async () => {
    const secrets = [{ what: 'token', value: TOKEN }]
    const path = join(folder, 'evidence.txt')
    await writeFile(path, TOKEN)
    const clean = new Map([[path, stateOf(path)]])
    expect(blotOutLeaks(folder, secrets, clean)).to.deep.equal([])
  })
})
