import { readSubnet } from './network.ts'
import { ToolError } from './run-tool.ts'
import type { Tools } from './tools.ts'

type Docker = Pick<Tools, 'docker'>

/** Clusters that come up side by side may pick the same subnet. */
const ATTEMPTS = 5
const MTU = 'com.docker.network.driver.mtu'

/**
 * Makes a cluster's own network with a subnet that was given: in no other can a container ask for an address, as a node
 * does that was off. One of this name that is there was left behind and goes first. Throws ToolError where something is
 * still in it, or no subnet is free.
 */
export async function makeNetwork(name: string, { docker }: Docker, signal: AbortSignal): Promise<void> {
  const run = { for: `making network ${name}`, signal }
  const mtu = await defaultMtu(docker, signal)
  const create = ['network', 'create', ...(mtu === undefined ? [] : ['--opt', `${MTU}=${mtu}`])]
  for (let attempt = 1; ; attempt++) {
    await removeNetwork(name, { docker }, signal)
    // The engine knows best which subnet is free: it picks one, which is then given back to it.
    await docker([...create, name], run)
    const subnet = await readSubnet(name, { docker }, signal)
    await docker(['network', 'rm', name], run)
    try {
      await docker([...create, '--subnet', subnet, name], run)
      return
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ToolError) || attempt === ATTEMPTS) throw error
    }
  }
}

/** No error where there is none. */
export async function removeNetwork(name: string, { docker }: Docker, signal: AbortSignal): Promise<void> {
  const run = { for: `removing network ${name}`, signal }
  const listed = await docker(['network', 'ls', '--quiet', '--filter', `name=^${name}$`], run)
  if (listed.trim() !== '') await docker(['network', 'rm', name], run)
}

/** What fits the way out of the engine's machine is set for its default network alone. */
async function defaultMtu(docker: Tools['docker'], signal: AbortSignal): Promise<string | undefined> {
  const words = ['network', 'inspect', '--format', `{{index .Options "${MTU}"}}`, 'bridge']
  const said = await docker(words, { for: 'reading the default network', signal }).catch(() => '')
  signal.throwIfAborted()
  return /^\d+$/.test(said.trim()) ? said.trim() : undefined
}
