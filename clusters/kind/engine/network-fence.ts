import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { execa } from 'execa'
import { ToolError } from '../run-tool.ts'
import type { EngineFolders } from './engine-folders.ts'

/** As docker names the bridge of a network that got no name for it. */
const DOCKER_BRIDGE = /^br-[0-9a-f]{12}$/
/** What our own engine's bridges are called; "+" stands for any end. */
const OWN_BRIDGES = ['docker0', 'br-+'] as const
/** Where docker has the rules of others; it comes before docker's own. */
const DOCKER_CHAIN = 'DOCKER-USER'
const FORWARD = 'FORWARD'
const LIMIT_MS = 30_000

/**
 * Lets no packet that comes from a network of our own engine go out elsewhere, of networks that are still to be made as
 * well; told once or again, it is the same. Otherwise a packet to a pod or Service that is gone leaves by the machine's
 * default route. By interface and never by address: packets between two nodes pass the same chain, and a rule that
 * knows only addresses cuts those off as well.
 *
 * All of it stands in a chain of this engine's own. Called before the engine starts, which then starts containers, and
 * again when it runs: it may have made the chain of IPv6. Needs root.
 */
export async function fenceNetworks(folders: EngineFolders, signal: AbortSignal): Promise<void> {
  // Fails where the chain is there. The engine makes what leads to it.
  await succeeds('iptables', ['-N', DOCKER_CHAIN], signal)
  const chain = ownChain(folders)
  const others = await strangers()
  for (const family of families()) {
    await succeeds(family, ['-N', chain], signal)
    for (const bridge of OWN_BRIDGES) await once(family, '-A', chain, leavingBy(bridge), signal)
    // A bridge of somebody else's whose name begins alike is none of ours: it goes on to the rules that are not ours.
    for (const bridge of others) await once(family, '-I', chain, ['-i', bridge, '-j', 'RETURN'], signal)
    await once(family, '-I', await parentOf(family, signal), ['-j', chain], signal)
  }
}

/** Takes away what fenceNetworks did, and nothing else. */
export async function liftFence(folders: EngineFolders): Promise<void> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  const chain = ownChain(folders)
  for (const family of families()) {
    if (!(await succeeds(family, ['-n', '-L', chain], signal))) continue
    for (const parent of [DOCKER_CHAIN, FORWARD]) {
      if (await succeeds(family, ['-C', parent, '-j', chain], signal))
        await require(family, ['-D', parent, '-j', chain], signal)
    }
    await require(family, ['-F', chain], signal)
    await require(family, ['-X', chain], signal)
  }
}

/** A name may have 28 characters. */
function ownChain({ id }: EngineFolders): string {
  return `POOLWRIGHT-${id}`
}

function leavingBy(bridge: string): readonly string[] {
  return ['-i', bridge, '!', '-o', bridge, '-j', 'REJECT']
}

async function strangers(): Promise<string[]> {
  const names = await readdir('/sys/class/net').catch(() => [])
  return names.filter((name) => name.startsWith('br-') && !DOCKER_BRIDGE.test(name))
}

/** A network may have IPv6 as well; a kernel without it has nothing to fence. */
function families(): readonly string[] {
  return existsSync('/proc/sys/net/ipv6') ? ['iptables', 'ip6tables'] : ['iptables']
}

/** Old engines make none of their own for IPv6. */
async function parentOf(family: string, signal: AbortSignal): Promise<string> {
  return (await succeeds(family, ['-n', '-L', DOCKER_CHAIN], signal)) ? DOCKER_CHAIN : FORWARD
}

async function once(
  family: string,
  how: '-A' | '-I',
  chain: string,
  rule: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (!(await succeeds(family, ['-C', chain, ...rule], signal)))
    await require(family, [how, chain, ...rule], signal)
}

async function succeeds(family: string, words: readonly string[], signal: AbortSignal): Promise<boolean> {
  return !(await run(family, words, signal)).failed
}

async function require(family: string, words: readonly string[], signal: AbortSignal): Promise<void> {
  const ended = await run(family, words, signal)
  if (ended.failed) throw new ToolError('fencing in the networks', `${family} ${words.join(' ')}`, ended.all)
}

/** --wait: another program may be changing the rules. */
async function run(family: string, words: readonly string[], cancelSignal: AbortSignal) {
  const ended = await execa(family, ['--wait', ...words], {
    all: true,
    reject: false,
    stdin: 'ignore',
    timeout: LIMIT_MS,
    cancelSignal,
  })
  cancelSignal.throwIfAborted()
  return { failed: ended.failed, all: ended.all || ended.shortMessage || '' }
}
