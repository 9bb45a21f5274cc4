import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { RANGES } from './addresses.ts'
import { findings } from './findings.ts'
import { readNatures, type ScenarioNature } from './scenario-natures.ts'

const root = fileURLToPath(new URL('../fixtures/lint/', import.meta.url))

const MISSPELT = 'sample.feature:20'
const HOSTS = ['sample.feature:47', 'sample.feature:65']
const ADDRESSES = ['sample.feature:53', 'sample.feature:59']
const OTHERS = [MISSPELT, ...HOSTS, ...ADDRESSES]

describe('the lint of scenarios', () => {
  let natures: readonly ScenarioNature[]
  // Once: a process loads step definitions a single time.
  before(async () => {
    natures = await readNatures(['sample.feature'], { root, support: ['steps.ts'] })
  })

  it('refuses those that change the cluster and do not say so, and warns of those that only say so', async () => {
    expect(natures).to.have.length(12)
    expect(findings(natures).filter(({ place }) => !OTHERS.includes(place))).to.deep.equal([
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
          '"is misspelt" has a step that there is not: "a step that lookz"; nearest: a step that looks | a step that changes the cluster | a step that changes Windows hosts',
      },
      {
        weight: 'refused',
        place: MISSPELT,
        message:
          '"is misspelt" has a step that there is not: "a step that changes the clutter"; nearest: a step that changes the cluster | a step that changes Windows hosts | a step that looks',
      },
    ])
  })

  it('has a tag for what the Windows operator configures and another for the rest', async () => {
    expect(findings(natures).filter(({ place }) => HOSTS.includes(place))).to.deep.equal([
      {
        weight: 'refused',
        place: HOSTS[0],
        message:
          '"says that it changes something else" changes Windows hosts by "a step that changes Windows hosts" (steps.ts:6): tag it @changes-windows-hosts',
      },
      {
        weight: 'refused',
        place: HOSTS[1],
        message:
          '"would run where the operator is real" is tagged @changes-windows-hosts: tag it @needs-windows-stand-in, too',
      },
    ])
  })

  it('refuses those that name hosts which have a Node in one scenario and none in another', async () => {
    expect(findings(natures).filter(({ place }) => ADDRESSES.includes(place))).to.deep.equal([
      {
        weight: 'refused',
        place: ADDRESSES[0],
        message:
          '"takes a host that others take for one without a Node" names 192.0.2.10, an address of hosts without a Node: take 203.0.113.0/24 and example.net',
      },
      {
        weight: 'refused',
        place: ADDRESSES[1],
        message:
          '"takes hosts that have Nodes elsewhere" names win-2.example.net, an address of hosts that the Windows operator configures: those are for scenarios tagged @changes-windows-hosts',
      },
      {
        weight: 'refused',
        place: ADDRESSES[1],
        message:
          '"takes hosts that have Nodes elsewhere" names 198.51.100.7, an address of Nodes that a scenario makes: those are for scenarios tagged @changes-cluster',
      },
    ])
  })
})

it('docs/writing-scenarios.md tells the same addresses', () => {
  const page = readFileSync(new URL('../../docs/writing-scenarios.md', import.meta.url), 'utf8')
  const rows = page.match(/^\| .*\d\/24 \|.*$/gm) ?? []
  for (const { network, domain } of RANGES)
    expect(rows.filter((row) => row.includes(`| ${network} | \`….${domain}\` |`))).to.have.length(1)
  expect(rows).to.have.length(RANGES.length)
})
