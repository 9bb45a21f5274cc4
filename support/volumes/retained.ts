import { objectPath } from '../../src/kube/paths.ts'
import type { PoolwrightWorld } from '../world.ts'
import { claimsOf, VOLUMES } from './claims.ts'
import type { Volume } from './volume.ts'

const retain = (policy: 'Retain' | 'Delete') => ({ spec: { persistentVolumeReclaimPolicy: policy } })

/**
 * From now on the volume outlives its claim. Until the end of the scenario, however that comes: then it is to go with its
 * claim again, so that the cluster itself removes it and its data.
 */
export async function retainVolume(world: PoolwrightWorld, claim: string): Promise<void> {
  const path = await adoptVolume(world, claim)
  await world.changes.patch(path, retain('Retain'))
}

/** The volume goes with its claim, or at once where that is gone. */
export async function stopRetaining(world: PoolwrightWorld, claim: string): Promise<void> {
  await world.changes.patch(objectPath(VOLUMES, claimsOf(world).volumeOf(claim).name), retain('Delete'))
}

/** Forgets the claim that a released volume had, as an administrator does who gives it to another. */
export async function forgetClaim(world: PoolwrightWorld, claim: string): Promise<void> {
  await world.changes.patch(objectPath(VOLUMES, claimsOf(world).volumeOf(claim).name), {
    spec: { claimRef: null },
  })
}

/** A volume that was made for a claim of the scenario is the scenario's: it gets its labels. Answers its path. */
async function adoptVolume(world: PoolwrightWorld, claim: string): Promise<string> {
  const claims = claimsOf(world)
  const { kube, signal, labels } = world
  const path = objectPath(VOLUMES, claims.volumeOf(claim).name)
  const [volume, { metadata }] = await Promise.all([kube.get<Volume>(path, signal), claims.get(claim)])
  if (volume.spec?.claimRef?.uid !== metadata?.uid)
    throw new Error(`volume ${volume.metadata?.name} is not that of claim ${claim}`)
  const { uid, resourceVersion } = volume.metadata ?? {}
  await kube.patch(path, { metadata: { uid, resourceVersion, labels } }, 'merge', signal)
  return path
}
