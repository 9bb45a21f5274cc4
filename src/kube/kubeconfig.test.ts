import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { KubeconfigError, loadKubeconfig } from './kubeconfig.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poolwright-kubeconfig-'))
})
after(() => rm(folder, { recursive: true }))

async function load(content: string, context?: string) {
  const path = join(folder, 'config')
  await writeFile(path, content)
  return loadKubeconfig(path, context)
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const CONFIG = `
current-context: one
clusters:
- name: c1
  cluster: {server: "https://127.0.0.1:6443/", certificate-authority-data: ${base64('the CA')}}
- name: c2
  cluster: {server: "http://127.0.0.1:8001", certificate-authority: ca.pem}
contexts:
- {name: one, context: {cluster: c1, user: u1}}
- {name: two, context: {cluster: c2, user: u2, namespace: games}}
- {name: three, context: {cluster: c2, user: u3}}
- {name: four, context: {cluster: gone, user: u1}}
users:
- name: u1
  user: {token: abc}
- name: u2
  user: {client-certificate-data: ${base64('the cert')}, client-key: key.pem, tokenFile: token}
- name: u3
  user: {exec: {command: login}}
`

describe('loadKubeconfig', () => {
  it('resolves the current context', async () => {
    expect(await load(CONFIG)).to.deep.equal({
      server: 'https://127.0.0.1:6443',
      certificateAuthority: 'the CA',
      token: 'abc',
      insecure: false,
      namespace: 'default',
    })
  })

  it('resolves a named context, with files relative to the kubeconfig', async () => {
    await writeFile(join(folder, 'ca.pem'), 'CA from a file')
    await writeFile(join(folder, 'key.pem'), 'key from a file')
    expect(await load(CONFIG, 'two')).to.deep.equal({
      server: 'http://127.0.0.1:8001',
      certificateAuthority: 'CA from a file',
      clientCertificate: 'the cert',
      clientKey: 'key from a file',
      tokenFile: join(folder, 'token'),
      insecure: false,
      namespace: 'games',
    })
  })

  it('reads JSON', async () => {
    const config = {
      'current-context': 'x',
      clusters: [{ name: 'x', cluster: { server: 'https://127.0.0.1:1' } }],
      contexts: [{ name: 'x', context: { cluster: 'x' } }],
    }
    expect(await load(JSON.stringify(config))).to.include({ server: 'https://127.0.0.1:1' })
  })

  for (const [problem, content, context] of [
    ['it is not YAML', '{{{', undefined],
    ['the file is not a mapping', '- 1', undefined],
    ['it has no current-context', 'clusters: []', undefined],
    ['it has no context named "five"', CONFIG, 'five'],
    ['it has no cluster named "gone"', CONFIG, 'four'],
    ['user "u3" logs in by "exec"', CONFIG, 'three'],
  ] as const)
    it(`names the file and says: ${problem}`, async () => {
      const error = await load(content, context).catch((caught: unknown) => caught)
      expect(error).to.be.instanceOf(KubeconfigError)
      expect((error as Error).message)
        .to.include(join(folder, 'config'))
        .and.to.include(problem)
    })

  describe('of a list of files', () => {
    const list = (...names: string[]) => names.map((name) => join(folder, name)).join(delimiter)
    const cluster = (name: string, port: number) => ({
      name,
      cluster: { server: `http://127.0.0.1:${port}`, 'certificate-authority': 'ca.pem' },
    })
    const put = async (name: string, config: object) => {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), JSON.stringify(config))
    }

    before(async () => {
      await put('first/config', {
        'current-context': 'a',
        contexts: [{ name: 'a', context: { cluster: 'a' } }],
        clusters: [cluster('shared', 1)],
      })
      await writeFile(join(folder, 'first', 'ca.pem'), 'the CA of first')
      await put('second/config', {
        'current-context': 'b',
        contexts: [
          { name: 'a', context: { cluster: 'shared' } },
          { name: 'b', context: { cluster: 'shared' } },
        ],
        clusters: [cluster('shared', 2), cluster('a', 3)],
      })
      await writeFile(join(folder, 'second', 'ca.pem'), 'the CA of second')
    })

    it('ignores those that are not there, as kubectl does', async () => {
      const { server } = await loadKubeconfig(list('none', 'second/config', 'none-either'))
      expect(server).to.equal('http://127.0.0.1:2')
    })

    it('takes each name from the first file that has it, and paths from where that file is', async () => {
      const all = list('first/config', 'second/config')
      const expected = { server: 'http://127.0.0.1:3', certificateAuthority: 'the CA of second' }
      expect(await loadKubeconfig(all)).to.include(expected)
      const shared = { server: 'http://127.0.0.1:1', certificateAuthority: 'the CA of first' }
      expect(await loadKubeconfig(all, 'b')).to.include(shared)
    })

    it('says so when none of them is there, or none has the name', async () => {
      for (const [paths, context, problem] of [
        [list('none', 'none-either'), undefined, /none, .*none-either: none of them is there/],
        [list('first/config', 'second/config'), 'z', /second\/config: .*no context named "z"/],
      ] as const) {
        const error = await loadKubeconfig(paths, context).catch((caught: unknown) => caught)
        expect(error).to.be.instanceOf(KubeconfigError)
        expect((error as Error).message).to.match(problem)
      }
    })
  })

  it('names a file that is not there', async () => {
    const error = await loadKubeconfig(join(folder, 'none')).catch((caught: unknown) => caught)
    expect((error as Error).message).to.include("none: it can't be read (ENOENT)")
  })
})
