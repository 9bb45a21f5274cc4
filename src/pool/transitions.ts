import type { PoolStatus } from '../contract/pool.ts'

export type From = PoolStatus | 'new'
export type To = PoolStatus | 'removed'

/** Who may make a move; `nobody` refuses it. */
export type Mover = 'anyone' | 'holder' | 'force' | 'nobody'

export interface Transition {
  /** How the move is called, or why it is refused. */
  readonly name: string
  readonly mover: Mover
}

/** The states of an entry and who may move it between them; docs/node-pool.md shows the same table. */
export const TRANSITIONS: Readonly<Record<From, Readonly<Record<To, Transition>>>> = {
  new: {
    available: { name: 'add', mover: 'anyone' },
    'in-use': { name: 'a new entry cannot be held yet', mover: 'nobody' },
    quarantined: { name: 'add', mover: 'anyone' },
    removed: { name: 'there is nothing to remove', mover: 'nobody' },
  },
  available: {
    available: { name: 'it is available already', mover: 'nobody' },
    'in-use': { name: 'allocate', mover: 'holder' },
    quarantined: { name: 'quarantine', mover: 'anyone' },
    removed: { name: 'remove', mover: 'anyone' },
  },
  'in-use': {
    available: { name: 'release', mover: 'holder' },
    'in-use': { name: 'it is in use already', mover: 'nobody' },
    quarantined: { name: 'release as failed', mover: 'holder' },
    removed: { name: 'it is in use, so only a forced removal takes it out', mover: 'force' },
  },
  quarantined: {
    available: { name: 'repair', mover: 'anyone' },
    'in-use': { name: 'it must be repaired first', mover: 'nobody' },
    quarantined: { name: 'it is quarantined already', mover: 'nobody' },
    removed: { name: 'remove', mover: 'anyone' },
  },
}
