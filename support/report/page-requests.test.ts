import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { findChromium, pageRequests } from './page-requests.ts'

const chromium = findChromium()

describe('what a browser asks for', { skip: chromium === undefined && 'needs Chromium' }, () => {
  it('is told, also where only a script asks', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'poolwright-page-'))
    try {
      const path = join(folder, 'page.html')
      const script = `fetch('http://127.' + '0.0.1:9/analytics').catch(() => undefined)`
      await writeFile(path, `<img src="http://127.0.0.1:9/picture.png"><script>${script}</script>`)
      const asked = await pageRequests(chromium ?? '', pathToFileURL(path).href)
      expect(asked).to.include('http://127.0.0.1:9/picture.png').and.include('http://127.0.0.1:9/analytics')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
