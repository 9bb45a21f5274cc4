import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { findings } from './findings.ts'
import { readNatures, type ScenarioNature } from './scenario-natures.ts'

const root = fileURLToPath(new URL('../fixtures/lint/', import.meta.url))

const MISSPELT = 'sample.feature:20'

describe('the lint of scenarios', () => {
  let natures: readonly ScenarioNature[]
  // Once: a process loads step definitions a single time.
  before(async () => {
    natures = await readNatures(['sample.feature'], { root, support: ['steps.ts'] })
  })

  it('refuses those that change the cluster and do not say so, and warns of those that only say so', async () => {
    expect(natures).to.have.length(7)
    expect(findings(natures).filter(({ place }) => place !== MISSPELT)).to.deep.equal([
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
        place: 'sample.feature:38',
        message:
          '"does by its Background what this does not say" changes the cluster by "a step that changes the cluster" (steps.ts:5): tag it @changes-cluster',
      },
    ])
  })

  it('refuses those with steps that there are not, each with the nearest that there are', async () => {
    expect(findings(natures).filter(({ place }) => place === MISSPELT)).to.deep.equal([
      {
        weight: 'refused',
        place: MISSPELT,
        message:
          '"is misspelt" has a step that there is not: "a step that lookz"; nearest: a step that looks | a step that changes the cluster',
      },
      {
        weight: 'refused',
        place: MISSPELT,
        message:
          '"is misspelt" has a step that there is not: "a step that changes the clutter"; nearest: a step that changes the cluster | a step that looks',
      },
    ])
  })
})
