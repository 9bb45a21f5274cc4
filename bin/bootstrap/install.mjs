import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { whileLocked } from '../../clusters/this-machine/name-lock.mjs'
import { whatIsMissing } from './installation.mjs'

/** A cold cache behind a slow line, in milliseconds. */
const INSTALL_LIMIT_MS = 30 * 60_000

/**
 * Makes node_modules what package-lock.json asks for; does nothing where it is already. Two commands at once install
 * once. Throws when npm fails.
 *
 * @param {string} root
 */
export async function installWhatIsMissing(root) {
  if (!whatIsMissing(root)) return
  const signal = AbortSignal.timeout(INSTALL_LIMIT_MS)
  await whileLocked(
    `install ${root}`,
    signal,
    async () => {
      const reason = whatIsMissing(root)
      if (!reason) return
      say(`Installing dependencies with npm ci: ${reason}.`)
      await npmCi(root, signal)
      const still = whatIsMissing(root)
      if (still) throw new Error(`npm ci ended well, and yet ${still}`)
    },
    () => say('Another command is installing; waiting for it.'),
  )
}

/**
 * @param {string} root
 * @param {AbortSignal} signal
 */
async function npmCi(root, signal) {
  // A machine set up for production would leave out what checks the project.
  const words = ['ci', '--include=dev', '--no-audit', '--no-fund']
  const child = spawn('npm', words, {
    cwd: root,
    env: environment(root),
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`npm ci failed with code ${code}:\n${output.trim()}`)
}

/**
 * Without node_modules/.bin on the path: npm would run on a Node that it is about to replace.
 *
 * @param {string} root
 */
function environment(root) {
  const own = join(root, 'node_modules')
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(own))
  return { ...process.env, PATH: path.join(delimiter) }
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${line}\n`)
}
