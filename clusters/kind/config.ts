import { readFile } from 'node:fs/promises'
import { type Document, isSeq, parseDocument, stringify, type YAMLMap, type YAMLSeq } from 'yaml'

const TEMPLATE = new URL('cluster-config.yaml', import.meta.url)
const ROLE_LABEL = 'poolwright.dev/node-role'

/** What differs from one kind cluster to the next. */
export interface ConfigChoices {
  /** One or two. */
  readonly dataWorkers: number
  /** One or two. */
  readonly managementWorkers: number
  /** Absolute path on the engine's machine that all nodes mount. */
  readonly sharedFolder: string
  /** The pod network is ours, so kind must install none. */
  readonly ownPodNetwork: boolean
  /** The machine has no unified cgroup hierarchy, which a kubelet refuses unless it is told otherwise. */
  readonly cgroupV1: boolean
}

/** The kind config for these choices: the template with its comments, filled in. */
export async function clusterConfig(choices: ConfigChoices): Promise<string> {
  const config = parseDocument(await readFile(TEMPLATE, 'utf8'))
  const nodes = list<YAMLMap>(config, 'nodes')
  for (const node of nodes.items) node.setIn(['extraMounts', 0, 'hostPath'], choices.sharedFolder)
  repeatWorker(config, nodes, 'data', choices.dataWorkers)
  repeatWorker(config, nodes, 'management', choices.managementWorkers)
  if (choices.ownPodNetwork) config.setIn(['networking', 'disableDefaultCNI'], true)
  if (choices.cgroupV1)
    list(config, 'kubeadmConfigPatches').add(stringify({ kind: 'KubeletConfiguration', failCgroupV1: false }))
  return config.toString({ lineWidth: 0 })
}

function repeatWorker(config: Document, nodes: YAMLSeq<YAMLMap>, role: string, count: number): void {
  const worker = nodes.items.find((node) => node.getIn(['labels', ROLE_LABEL]) === role)
  if (!worker) throw new Error(`cluster-config.yaml has no ${role} worker`)
  for (let extra = 1; extra < count; extra++) nodes.add(config.createNode(worker.toJSON()) as YAMLMap)
}

function list<T>(config: Document, key: string): YAMLSeq<T> {
  const found = config.get(key)
  if (isSeq<T>(found)) return found
  throw new Error(`cluster-config.yaml has no list ${key}`)
}
