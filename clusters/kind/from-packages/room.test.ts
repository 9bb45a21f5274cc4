import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../../../src/contract/errors.ts'
import { FAMILIES, family } from './programs.ts'
import { type RoomyMachine, requireRoom, roomFor } from './room.ts'

const GIBIBYTE = 1024 ** 3
const NOTHING = { programs: [], trees: 0, images: 0, nodeImage: false }
/** A folder that is there, for an engine of this machine. */
const ENGINE = { dataRoot: '/' }

function machine(
  gibibytes: { readonly disk: number; readonly memory: number },
  device = (_: string) => 1,
): RoomyMachine {
  return {
    disk: async (folder) => ({ device: device(folder), free: gibibytes.disk * GIBIBYTE }),
    freeMemory: () => gibibytes.memory * GIBIBYTE,
  }
}

test('what is there already needs no room', async () => {
  const full = machine({ disk: 0, memory: 0 })
  await requireRoom(roomFor(NOTHING), ENGINE, full)
  const images = roomFor({ ...NOTHING, images: 1, nodeImage: true })
  assert.equal(images.memory, 0)
  assert.ok(images.cache < 4 * GIBIBYTE, 'images of programs that stand need no room for compiling')
})

test('all of it needs what was seen, one small program of ours far less', () => {
  const all = roomFor({ programs: FAMILIES, trees: 2, images: 1, nodeImage: true })
  assert.ok(all.cache > 14 * GIBIBYTE)
  assert.equal(all.memory, 3 * GIBIBYTE)
  const ours = roomFor({ programs: [family('csi-driver')], trees: 1, images: 2, nodeImage: false })
  assert.ok(ours.cache < 5 * GIBIBYTE)
  assert.equal(ours.memory, GIBIBYTE)
})

test('caches and images on one disk need room for both', async () => {
  const room = { cache: 10 * GIBIBYTE, engine: 10 * GIBIBYTE, memory: 0 }
  const enoughForOne = { disk: 15, memory: 8 }
  await assert.rejects(requireRoom(room, ENGINE, machine(enoughForOne)), (error: unknown) => {
    assert.ok(error instanceof UsageError)
    assert.match(error.message, /needs 20\.0 GiB of disk for .*caches.* and .*images.*; there are 15\.0 GiB/)
    return true
  })
  await requireRoom(
    room,
    ENGINE,
    machine(enoughForOne, (folder) => folder.length),
  )
})

test('too little memory is said before anything starts', async () => {
  const room = { cache: 0, engine: 0, memory: 3 * GIBIBYTE }
  await assert.rejects(requireRoom(room, ENGINE, machine({ disk: 1, memory: 2 })), /3\.0 GiB of free memory/)
})
