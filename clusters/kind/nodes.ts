import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Site } from './site.ts'
import type { Tool, Tools } from './tools.ts'

/** kind puts it on every node's container. */
const CLUSTER_LABEL = 'io.x-k8s.kind.cluster'

/** A node's container, as the engine knows it. */
export interface NodeContainer {
  /** The node's own name as well. */
  readonly name: string
  /** In full. */
  readonly id: string
  readonly running: boolean
  /** Id of its image. */
  readonly image: string
  /** Absent where something that was interrupted took it out of its network. */
  readonly network?: NodeNetwork
}

export interface NodeNetwork {
  readonly name: string
  /** Empty while it is off. */
  readonly address: string
  /** The address that it asks for whenever it starts. */
  readonly pinned?: string
}

/** All containers that are nodes of this cluster, whether they run or not; kind itself isn't asked. */
export async function listNodes(
  cluster: string,
  { docker }: Pick<Tools, 'docker'>,
  signal: AbortSignal,
): Promise<readonly NodeContainer[]> {
  const run = { for: `looking for the nodes of ${cluster}`, signal }
  const filter = ['--filter', `label=${CLUSTER_LABEL}=${cluster}`]
  const said = await docker(['ps', '--all', '--quiet', '--no-trunc', ...filter], run)
  const ids = said.split('\n').filter(Boolean)
  if (ids.length === 0) return []
  const found = JSON.parse(await docker(['container', 'inspect', ...ids], run)) as Inspected[]
  return found.map(nodeContainer)
}

/** As it is now. Throws ToolError where there is none. */
export async function readNode(
  docker: Tool,
  node: string,
  run: { readonly for: string; readonly signal: AbortSignal },
): Promise<NodeContainer> {
  const [found] = JSON.parse(await docker(['container', 'inspect', node], run)) as [Inspected]
  return nodeContainer(found)
}

function nodeContainer(found: Inspected): NodeContainer {
  const [network] = Object.entries(found.NetworkSettings.Networks)
  return {
    name: found.Name.replace(/^\//, ''),
    id: found.Id,
    running: found.State.Running,
    image: found.Image,
    ...(network && { network: nodeNetwork(...network) }),
  }
}

function nodeNetwork(name: string, { IPAddress, IPAMConfig }: InspectedNetwork): NodeNetwork {
  const pinned = IPAMConfig?.IPv4Address
  return { name, address: IPAddress, ...(pinned && { pinned }) }
}

interface Inspected {
  readonly Id: string
  readonly Name: string
  readonly Image: string
  readonly State: { readonly Running: boolean }
  readonly NetworkSettings: { readonly Networks: Readonly<Record<string, InspectedNetwork>> }
}

interface InspectedNetwork {
  readonly IPAddress: string
  readonly IPAMConfig?: { readonly IPv4Address?: string } | null
}

/** What is written down of a cluster's nodes, since the engine forgets it of those that are off. */
export interface NodeRecord {
  /** Id of the image that they were made from. */
  readonly image: string
  /** By the node's name: the one by which the cluster knows it. */
  readonly addresses: Readonly<Record<string, string>>
}

export async function recordNodes(
  site: Pick<Site, 'directory'>,
  nodes: readonly NodeContainer[],
): Promise<void> {
  const addresses = Object.fromEntries(nodes.map(({ name, network }) => [name, network?.address ?? '']))
  await writeRecord(site, { image: nodes[0]?.image ?? '', addresses })
}

/**
 * The record, with the address that each node has now where it runs: an engine that was restarted may have given it another
 * than it was made with. Undefined where none was ever made.
 */
export async function renewNodeRecord(
  site: Pick<Site, 'directory'>,
  nodes: readonly NodeContainer[],
): Promise<NodeRecord | undefined> {
  const record = await readNodeRecord(site)
  const moved = nodes.flatMap(({ name, running, network }) => {
    const address = running && network?.address
    return address && record && address !== record.addresses[name] ? [[name, address] as const] : []
  })
  if (!record || moved.length === 0) return record
  const renewed = { ...record, addresses: { ...record.addresses, ...Object.fromEntries(moved) } }
  await writeRecord(site, renewed)
  return renewed
}

async function writeRecord(site: Pick<Site, 'directory'>, record: NodeRecord): Promise<void> {
  const path = recordPath(site)
  await writeFile(`${path}.next`, JSON.stringify(record, undefined, 2), { mode: 0o600 })
  await rename(`${path}.next`, path)
}

/** Undefined where none was ever made, or the file is cut short. */
export async function readNodeRecord(site: Pick<Site, 'directory'>): Promise<NodeRecord | undefined> {
  try {
    return JSON.parse(await readFile(recordPath(site), 'utf8')) as NodeRecord
  } catch {
    return undefined
  }
}

function recordPath({ directory }: Pick<Site, 'directory'>): string {
  return join(directory, 'nodes.json')
}
