import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type FolderServer, serveFolder } from './folder-server.ts'

describe('the server of a reports folder', () => {
  let outside: string
  let server: FolderServer

  before(async () => {
    outside = await mkdtemp(join(tmpdir(), 'poolwright-serve-'))
    const folder = join(outside, 'reports')
    await mkdir(join(folder, 'allure'), { recursive: true })
    await mkdir(join(outside, 'reports-of-another'))
    await writeFile(join(folder, 'acceptance.html'), '<p>acceptance</p>')
    await writeFile(join(folder, 'allure', 'index.html'), '<p>allure</p>')
    await writeFile(join(outside, 'secret'), 'secret')
    await writeFile(join(outside, 'reports-of-another', 'secret'), 'secret')
    await symlink(join(outside, 'secret'), join(folder, 'link'))
    server = await serveFolder(folder, 'acceptance.html')
  })
  after(async () => {
    await server.close()
    await rm(outside, { recursive: true, force: true })
  })

  it('listens on loopback', () => {
    expect(server.url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  })

  it('answers the start page and any file, typed', async () => {
    const start = await get('/')
    expect(start).to.include({ code: 200, body: '<p>acceptance</p>', type: 'text/html; charset=utf-8' })
    expect(await get('/allure/index.html?x=1')).to.include({ code: 200, body: '<p>allure</p>' })
  })

  const OUTSIDE = [
    '/../secret',
    '/..%2fsecret',
    '/%2e%2e/secret',
    '/allure/../../secret',
    '/..\\secret',
    '//secret',
    '/link',
    '/../reports-of-another/secret',
    '/allure',
    '/%00',
    '/%E0%A4%A',
    '/nothing',
  ]
  for (const path of OUTSIDE) {
    it(`has nothing at ${path}`, async () => {
      const { code, body } = await get(path)
      expect(code).to.equal(404)
      expect(body).not.to.contain('secret')
    })
  }

  it('serves nobody who calls it by another name', async () => {
    expect(await get('/', { host: 'attacker.example' })).to.include({ code: 403 })
  })

  it('changes nothing', async () => {
    expect(await get('/acceptance.html', {}, 'DELETE')).to.include({ code: 405 })
  })

  /** Node's own client, since fetch would straighten the path first. */
  function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
    return new Promise<{ code: number | undefined; body: string; type: string | undefined }>(
      (resolve, reject) => {
        const { port } = new URL(server.url)
        request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
          let body = ''
          response.setEncoding('utf8').on('data', (chunk: string) => {
            body += chunk
          })
          response.on('end', () =>
            resolve({ code: response.statusCode, body, type: response.headers['content-type'] }),
          )
        })
          .on('error', reject)
          .end()
      },
    )
  }
})
