import { execFile } from 'node:child_process'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { conflist, type PodNetwork } from './network.ts'

const run = promisify(execFile)

/** Marks the routes that are ours among those of others; any number that nobody else uses. */
const PROTOCOL = '77'
const CONFLIST = '10-poolwright.conflist'
const CHAIN = 'POOLWRIGHT-PODS'
/** A command that does not end is worth no more than one that fails. */
const LIMIT_MS = 20_000

/** Makes the node's routes, its masquerading and the runtime's configuration what they should be; safe to repeat. */
export async function setUpNode(
  network: PodNetwork,
  clusterSubnet: string,
  cniFolder: string,
): Promise<void> {
  await setRoutes(network)
  await setMasquerading(network.own, clusterSubnet)
  // Last: from then on the runtime starts pods.
  await writeConflist(network.own, cniFolder)
}

async function setRoutes({ own, routes }: PodNetwork): Promise<void> {
  for (const [subnet, via] of routes) await ip('replace', subnet, 'via', via, 'proto', PROTOCOL)
  // A packet to a pod of this node that is gone ends here; it would leave by the default route. Living pods have
  // routes of their own, which are narrower.
  await ip('replace', 'unreachable', own, 'proto', PROTOCOL)
  const { stdout } = await run('ip', ['-json', '-4', 'route', 'show', 'proto', PROTOCOL], {
    timeout: LIMIT_MS,
  })
  const present = JSON.parse(stdout || '[]') as { dst: string }[]
  for (const { dst } of present) if (dst !== own && !routes.has(dst)) await ip('del', dst, 'proto', PROTOCOL)
}

async function ip(...words: string[]): Promise<void> {
  await run('ip', ['-4', 'route', ...words], { timeout: LIMIT_MS })
}

/** Pods see each other by their own addresses; everybody else sees the node, which is whom they can answer. */
async function setMasquerading(own: string, clusterSubnet: string): Promise<void> {
  await iptables('-N', CHAIN).catch(() => undefined)
  await iptables('-F', CHAIN)
  await iptables('-A', CHAIN, '-d', clusterSubnet, '-j', 'RETURN')
  await iptables('-A', CHAIN, '-m', 'addrtype', '--dst-type', 'LOCAL', '-j', 'RETURN')
  await iptables('-A', CHAIN, '-j', 'MASQUERADE')
  const jump = ['POSTROUTING', '-s', own, '-j', CHAIN]
  await iptables('-C', ...jump).catch(() => iptables('-A', ...jump))
}

async function iptables(...words: string[]): Promise<void> {
  await run('iptables', ['--wait', '-t', 'nat', ...words], { timeout: LIMIT_MS })
}

async function writeConflist(own: string, folder: string): Promise<void> {
  const path = join(folder, CONFLIST)
  const wanted = conflist(own)
  if ((await readFile(path, 'utf8').catch(() => '')) === wanted) return
  await mkdir(folder, { recursive: true })
  await writeFile(`${path}.next`, wanted)
  await rename(`${path}.next`, path)
}
