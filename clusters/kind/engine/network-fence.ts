import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { execa } from 'execa'
import { ToolError } from '../run-tool.ts'

/** As docker names the bridge of a network that got no name for it. */
const DOCKER_BRIDGE = /^br-[0-9a-f]{12}$/
/** What our own engine's bridges are called; "+" stands for any end. */
const OWN_BRIDGES = ['docker0', 'br-+'] as const
/** Where docker has the rules of others; it comes before docker's own. */
const DOCKER_CHAIN = 'DOCKER-USER'
const FORWARD = 'FORWARD'
const LIMIT_MS = 30_000

/**
 * Lets no packet that comes from a network's bridge go out elsewhere; told once or again, it is the same. Otherwise a
 * packet to a pod or Service that is gone leaves by the machine's default route. By interface and never by address:
 * packets between two nodes pass the same chain, and a rule that knows only addresses cuts those off as well.
 * Needs root.
 */
export async function fenceNetwork(bridge: string, signal: AbortSignal): Promise<void> {
  if (!/^[\w.+-]{1,15}$/.test(bridge)) throw new TypeError(`"${bridge}" can't be a network interface`)
  for (const family of families()) {
    await insertOnce(family, await chainOf(family, signal), leavingBy(bridge), signal)
  }
}

/**
 * Fences in every network of our own engine, those that are still to be made as well. Called before the engine starts,
 * which then starts containers, and again when it runs: it may have made the chain of IPv6.
 */
export async function fenceOwnNetworks(signal: AbortSignal): Promise<void> {
  // Fails where the chain is there. The engine makes what leads to it.
  await succeeds('iptables', ['-N', DOCKER_CHAIN], signal)
  for (const bridge of OWN_BRIDGES) await fenceNetwork(bridge, signal)
  // A bridge of somebody else's whose name begins alike is none of ours; first in the chain, so that it counts.
  for (const stranger of await strangers()) {
    for (const family of families()) {
      await insertOnce(family, await chainOf(family, signal), passing(stranger), signal)
    }
  }
}

/** Takes away what fenceOwnNetworks did: another engine's bridges are called the same. */
export async function liftOwnFence(): Promise<void> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  const dockers = (await namesOfInterfaces()).filter((name) => DOCKER_BRIDGE.test(name))
  const rules = [...[...OWN_BRIDGES, ...dockers].map(leavingBy), ...(await strangers()).map(passing)]
  for (const family of families()) {
    for (const chain of [DOCKER_CHAIN, FORWARD]) {
      for (const rule of rules) {
        if (!(await succeeds(family, ['-C', chain, ...rule], signal))) continue
        await require(family, ['-D', chain, ...rule], signal)
      }
    }
  }
}

function leavingBy(bridge: string): readonly string[] {
  return ['-i', bridge, '!', '-o', bridge, '-j', 'REJECT']
}

function passing(bridge: string): readonly string[] {
  return ['-i', bridge, '-j', 'RETURN']
}

async function strangers(): Promise<string[]> {
  return (await namesOfInterfaces()).filter((name) => name.startsWith('br-') && !DOCKER_BRIDGE.test(name))
}

function namesOfInterfaces(): Promise<string[]> {
  return readdir('/sys/class/net').catch(() => [])
}

/** kind's networks have IPv6 as well; a kernel without it has nothing to fence. */
function families(): readonly string[] {
  return existsSync('/proc/sys/net/ipv6') ? ['iptables', 'ip6tables'] : ['iptables']
}

/** Old engines make none of their own for IPv6. */
async function chainOf(family: string, signal: AbortSignal): Promise<string> {
  return (await succeeds(family, ['-n', '-L', DOCKER_CHAIN], signal)) ? DOCKER_CHAIN : FORWARD
}

async function insertOnce(
  family: string,
  chain: string,
  rule: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (!(await succeeds(family, ['-C', chain, ...rule], signal))) {
    await require(family, ['-I', chain, ...rule], signal)
  }
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
