import { randomBytes } from 'node:crypto'
import { readNetwork } from './network.ts'
import { ToolError } from './run-tool.ts'
import type { Tools } from './tools.ts'

/** On networks whose subnet was given: in no other can a container ask for an address. */
const LABEL = 'poolwright.dev/fixed-addresses'

type Docker = Pick<Tools, 'docker'>

/**
 * Makes the network that kind will find by its name, with a subnet that was given, so that a node can keep its address
 * while it is off. One that is there is left alone, but for one of kind's own making that is empty, where `mayReplace`.
 */
export async function makeFixedNetwork(
  name: string,
  { docker }: Docker,
  { mayReplace, signal }: { readonly mayReplace: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const run = { for: `making network ${name}`, signal }
  const there = await find(name, docker, run)
  if (there) {
    const used = Object.keys(there.Containers).length > 0
    if (there.Labels?.[LABEL] !== undefined || used || !mayReplace) return
    await docker(['network', 'rm', name], run)
  }
  // The engine knows best which subnet is free: it is asked for one, which is then given back to it.
  const probe = `poolwright-probe-${randomBytes(4).toString('hex')}`
  await docker(['network', 'create', probe], run)
  let subnet: string
  try {
    subnet = (await readNetwork(probe, { docker }, signal)).subnet
  } finally {
    await docker(['network', 'rm', probe], { ...run, signal: AbortSignal.timeout(30_000) })
  }
  await docker(['network', 'create', '--subnet', subnet, '--label', `${LABEL}=`, name], run).catch(
    async (error: unknown) => {
      // A cluster that comes up beside this one may have made it.
      if (!(error instanceof ToolError) || !(await find(name, docker, run))) throw error
    },
  )
}

/** Whether a container of this network may ask for its address. */
export async function hasFixedAddresses(
  name: string,
  { docker }: Docker,
  signal: AbortSignal,
): Promise<boolean> {
  const network = await find(name, docker, { for: `reading network ${name}`, signal })
  return network?.Labels?.[LABEL] !== undefined
}

async function find(
  name: string,
  docker: Tools['docker'],
  run: { readonly for: string; readonly signal: AbortSignal },
): Promise<InspectedNetwork | undefined> {
  const listed = await docker(['network', 'ls', '--quiet', '--filter', `name=^${name}$`], run)
  if (listed.trim() === '') return undefined
  const [network] = JSON.parse(await docker(['network', 'inspect', name], run)) as [InspectedNetwork]
  return network
}

interface InspectedNetwork {
  readonly Labels?: Readonly<Record<string, string>> | null
  readonly Containers: Readonly<Record<string, unknown>>
}
