#!/usr/bin/env node
/**
 * Pins every published image in versions.ts by digest: `node clusters/kind/scripts/pin-digests.ts`, where image
 * registries are in reach. One that has a digest keeps it: a tag that moved is for a person to look at.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { $ } from 'zx'
import { PUBLISHED_IMAGES } from '../versions.ts'

const VERSIONS = new URL('../versions.ts', import.meta.url)

const bounded = $({ timeout: '15m' })

let text = await readFile(VERSIONS, 'utf8')
for (const image of Object.values(PUBLISHED_IMAGES)) {
  if (image.includes('@')) continue
  await bounded`docker pull --quiet ${image}`
  const { stdout } = await bounded`docker image inspect --format ${'{{index .RepoDigests 0}}'} ${image}`
  const digest = /@(sha256:[0-9a-f]{64})\s*$/.exec(stdout)?.[1]
  if (!digest) throw new Error(`docker names no digest of ${image}: ${stdout.trim()}`)
  text = text.replace(`'${image}'`, `'${image}@${digest}'`)
  console.log(`${image}@${digest}`)
}
await writeFile(VERSIONS, text)
