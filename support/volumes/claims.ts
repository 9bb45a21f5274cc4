import type { StorageRole } from '../../src/contract/cluster-roles.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { textTable } from '../evidence/text-table.ts'
import { perWorld } from '../per-world.ts'
import { podsOf } from '../pods/pods.ts'
import type { PoolwrightWorld } from '../world.ts'
import { type Claim, showClaim, showVolume, type Volume } from './volume.ts'

export const VOLUMES = collectionPath('v1', 'persistentvolumes')
/** As little as any driver makes. */
const SIZE = '1Gi'

/** A volume that a claim had, known by more than its name. */
export interface Known {
  readonly name: string
  readonly uid: string
  readonly storageClass: string
}

/** The scenario's claims, in its own namespace, and their volumes. */
export const claimsOf = perWorld((world) => new Claims(world))

class Claims {
  readonly #world: PoolwrightWorld
  /** By claim; kept when the claim is gone. */
  readonly #volumes = new Map<string, Known>()
  readonly #sightings: string[][] = []

  constructor(world: PoolwrightWorld) {
    this.#world = world
    world.defer(async () => {
      const text = textTable(['time', 'kind', 'state'], this.#sightings)
      world.attach(text, { mediaType: 'text/plain', fileName: 'claims and volumes by time.txt' })
    })
  }

  get path(): string {
    return collectionPath('v1', 'persistentvolumeclaims', this.#world.namespace)
  }

  /** Claims a volume for one node at a time; doesn't wait for anything. */
  async create(name: string, role: StorageRole): Promise<void> {
    await this.#create(name, { storageClassName: this.#storageClass(role) })
  }

  /** Claims the volume that another claim had; doesn't wait for anything. */
  async createFor(name: string, { name: volumeName, storageClass: storageClassName }: Known): Promise<void> {
    await this.#create(name, { storageClassName, volumeName })
  }

  async #create(name: string, spec: object): Promise<void> {
    const { kube, labels, signal } = this.#world
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, labels },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: SIZE } },
        ...spec,
      },
    }
    await kube.create(this.path, claim, signal)
  }

  async get(name: string): Promise<Claim> {
    const claim = await this.#world.kube.get<Claim>(objectPath(this.path, name), this.#world.signal)
    this.#note('claim', showClaim(claim))
    return claim
  }

  async delete(name: string): Promise<void> {
    await this.#world.kube.delete(objectPath(this.path, name), undefined, this.#world.signal)
  }

  /** Watches one claim until the predicate answers; it is asked with undefined while there is none. */
  until<R>(
    name: string,
    what: string,
    predicate: (claim: Claim | undefined) => R | undefined | null | false,
  ): Promise<R> {
    return this.#world.waitFor<Claim, R>({
      for: `claim ${name} ${what}`,
      path: this.path,
      fieldSelector: `metadata.name=${name}`,
      until: ([claim]) => {
        this.#note('claim', claim ? showClaim(claim) : `no claim ${name}`)
        return predicate(claim)
      },
      show: showClaim,
    })
  }

  /** Watches until it has a volume; answers that. */
  async untilBound(name: string): Promise<Volume> {
    const volumeName = await this.until(
      name,
      'to be bound',
      (claim) => claim?.status?.phase === 'Bound' && claim.spec?.volumeName,
    )
    const volume = await this.#world.kube.get<Volume>(objectPath(VOLUMES, volumeName), this.#world.signal)
    const storageClass = volume.spec?.storageClassName ?? ''
    this.#volumes.set(name, { name: volumeName, uid: volume.metadata?.uid ?? '', storageClass })
    this.#note('volume', showVolume(volume))
    return volume
  }

  /** Watches the volume that a claim had until the predicate answers; it is asked with undefined once there is none. */
  untilVolume<R>(
    claim: string,
    what: string,
    predicate: (volume: Volume | undefined) => R | undefined | null | false,
  ): Promise<R> {
    const { name, uid } = this.volumeOf(claim)
    return this.#world.waitFor<Volume, R>({
      for: `volume ${name} of claim ${claim} ${what}`,
      path: VOLUMES,
      fieldSelector: `metadata.name=${name}`,
      until: (volumes) => {
        const volume = volumes.find(({ metadata }) => metadata?.uid === uid)
        this.#note('volume', volume ? showVolume(volume) : `no volume ${name}, ${uid}`)
        return predicate(volume)
      },
      show: showVolume,
    })
  }

  /** The volume that a claim has, or had. */
  volumeOf(claim: string): Known {
    const known = this.#volumes.get(claim)
    if (!known) throw new Error(`no step has seen claim ${claim} bound to a volume`)
    return known
  }

  /** The name of the StorageClass that plays this role. */
  #storageClass(role: StorageRole): string {
    const name = podsOf(this.#world).roles.storage[role]
    if (name === undefined)
      throw new Error(`this cluster has no ${role} storage: the scenario needs @needs-${role}-storage`)
    return name
  }

  #note(kind: string, state: string): void {
    const last = this.#sightings.findLast((row) => row[1] === kind)
    if (last?.at(-1) !== state) this.#sightings.push([new Date().toISOString(), kind, state])
  }
}
