import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { findings } from './findings.ts'
import { readNatures } from './scenario-natures.ts'

const root = fileURLToPath(new URL('../fixtures/lint/', import.meta.url))

describe('the lint of scenarios', () => {
  it('refuses those that change the cluster and do not say so, and warns of those that only say so', async () => {
    const natures = await readNatures(['sample.feature'], { root, support: ['steps.ts'] })
    expect(natures).to.have.length(6)
    expect(findings(natures)).to.deep.equal([
      {
        weight: 'refused',
        place: 'sample.feature:10',
        message:
          '"does not say what it does" changes the cluster by "a step that changes the cluster" (steps.ts:5) and 1 more: tag it @changes-cluster',
      },
      {
        weight: 'warning',
        place: 'sample.feature:16',
        message:
          '"says what it does not do" is tagged @changes-cluster, and none of its steps changes the cluster',
      },
      {
        weight: 'refused',
        place: 'sample.feature:33',
        message:
          '"does by its Background what this does not say" changes the cluster by "a step that changes the cluster" (steps.ts:5): tag it @changes-cluster',
      },
    ])
  })
})
