/** `npm run gaps [-- --check]`: writes docs/gaps.md, or says whether it is stale. */
import { readFile, writeFile } from 'node:fs/promises'
import { GAPS_PAGE, gapsPage } from './gaps.ts'

const page = await gapsPage(AbortSignal.timeout(60_000))
if (!process.argv.includes('--check')) await writeFile(GAPS_PAGE, page)
else if ((await readFile(GAPS_PAGE, 'utf8').catch(() => '')) !== page) {
  process.stderr.write('docs/gaps.md is stale: run npm run gaps\n')
  process.exitCode = 1
}
