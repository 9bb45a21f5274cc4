import { When } from '@cucumber/cucumber'
import type { NodeRole } from '../../../../src/contract/cluster-roles.ts'
import { collectionPath, objectPath } from '../../../../src/kube/paths.ts'
import { changesCluster } from '../../../../support/safety/changing-steps.ts'
import type { PoolwrightWorld } from '../../../../support/world.ts'
import { ADMINS_LABEL, ADMINS_TAINT } from '../../admins-marks.ts'

/** Additions and removals, of what is the scenario's and of what is an administrator's; no pod is moved by them. */
When(
  'taints and labels of both marked nodes are changed',
  changesCluster,
  async function (this: PoolwrightWorld) {
    const [first, second] = [nodeOf(this, 'data'), nodeOf(this, 'management')]
    const effect = 'PreferNoSchedule'
    await this.changes.taint(second, [{ key: 'poolwright.dev/other-game', value: 'arena', effect }])
    await this.changes.label(second, { 'poolwright.dev/game': 'arena' })
    await this.changes.taint(first, [{ key: 'poolwright.dev/game', value: 'arena', effect }])
    await this.changes.untaint(first, [ADMINS_TAINT.key])
    await this.changes.label(first, { 'poolwright.dev/game': 'arena', [ADMINS_LABEL]: null })
  },
)

When('a ClusterRole is made and changed', changesCluster, function (this: PoolwrightWorld) {
  return makeAndChange(this, 'rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles')
})

When('a Node is made and changed', changesCluster, function (this: PoolwrightWorld) {
  return makeAndChange(this, 'v1', 'Node', 'nodes')
})

When('the first marked node is cordoned', changesCluster, async function (this: PoolwrightWorld) {
  await this.changes.cordon(nodeOf(this, 'data'))
})

async function makeAndChange(
  world: PoolwrightWorld,
  apiVersion: string,
  kind: string,
  plural: string,
): Promise<void> {
  const name = `${world.scenario}-made`
  await world.changes.create({ apiVersion, kind, metadata: { name } })
  const path = objectPath(collectionPath(apiVersion, plural), name)
  await world.changes.patch(path, { metadata: { annotations: { 'poolwright.dev/game': 'arena' } } })
}

function nodeOf(world: PoolwrightWorld, role: NodeRole): string {
  const [name] = world.run.roles?.nodes[role] ?? []
  if (name === undefined) throw new Error(`no marked node plays the ${role} node`)
  return name
}
