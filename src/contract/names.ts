/** Every name that Poolwright writes into a cluster or looks for in one. Nothing else spells them out. */

/** Labels on everything a run creates, so that clean-up can delete by label and prove absence. */
export const RUN_LABEL = 'poolwright.dev/run'
export const SCENARIO_LABEL = 'poolwright.dev/scenario'

/** An administrator's mark on a Node: scenarios may taint, cordon and drain it. */
export const TEST_POOL_LABEL = 'poolwright.dev/test-pool'

/** On a marked Node: whether games and their volumes live there (`data`), or their auxiliaries (`management`). */
export const NODE_ROLE_LABEL = 'poolwright.dev/node-role'
/** On a StorageClass: which of the features' storage roles it plays, `local`, `csi` or `movable`. */
export const STORAGE_ROLE_LABEL = 'poolwright.dev/storage-role'
/** On a load balancer's pool of addresses: which of the features' pools it plays, `game`, `management` or `small`. */
export const ADDRESS_POOL_LABEL = 'poolwright.dev/address-pool'

/** Marks an object as belonging to a stand-in for a component this rung doesn't have. */
export const STAND_IN_LABEL = 'poolwright.dev/stand-in'
/** In the operator's namespace: how a scenario steers the Windows stand-ins, see clusters/stand-ins/steering.ts. */
export const WINDOWS_STAND_IN_CONFIG_MAP = 'windows-stand-in'

/** Where the Windows Machine Config Operator lives on OpenShift, and where the pool lives beside it. */
export const WMCO_NAMESPACE = 'openshift-windows-machine-config-operator'
export const WMCO_DEPLOYMENT = 'windows-machine-config-operator'
export const POOL_CONFIG_MAP = 'windows-node-pool'
/** The operator's own list of BYOH hosts: `<address>: username=<user>`. */
export const INSTANCES_CONFIG_MAP = 'windows-instances'
/** On windows-instances, ended by a hash of the address: which test listed the host, so that nobody else's entry is taken for it. */
export const LISTED_FOR_ANNOTATION_PREFIX = 'poolwright.dev/listed-for-'
/** On windows-instances: the version at which a clean-up found a host not listed, written so that a late listing of it fails. */
export const LISTING_FENCE_ANNOTATION = 'poolwright.dev/listing-fence'

/** Where the Machine API keeps MachineSets and Machines on OpenShift. */
export const MACHINE_API_NAMESPACE = 'openshift-machine-api'
export const MACHINE_API_GROUP = 'machine.openshift.io'
export const MACHINE_API_VERSION = 'v1beta1'
/** Labels by which the operator and we recognise a Windows Machine and its MachineSet. */
export const MACHINE_OS_LABEL = 'machine.openshift.io/os-id'
export const MACHINE_SET_LABEL = 'machine.openshift.io/cluster-api-machineset'
/** On a Node: `namespace/name` of the Machine it runs on. */
export const MACHINE_ANNOTATION = 'machine.openshift.io/machine'

/** On a Node, set by the operator: `true` for a host that came from windows-instances. */
export const BYOH_LABEL = 'windowsmachineconfig.openshift.io/byoh'

/** On a MachineSet that setBYOH made: who asked for it, so that clean-up after a crash finds it. */
export const FALLBACK_TEST_ID_ANNOTATION = 'poolwright.dev/test-id'

/** Where the journal and the lease are: it exists in every cluster, and can't be deleted. */
export const JOURNAL_NAMESPACE = 'default'
/** On a ConfigMap: it tells what a run changed and how that is undone, see support/safety/. */
export const JOURNAL_LABEL = 'poolwright.dev/journal'
/** The Lease without which no scenario changes nodes or cluster-scoped objects. */
export const NODES_LEASE = 'poolwright-nodes'
/** The Lease without which no scenario changes what the cluster's Windows operator configures. */
export const WINDOWS_HOSTS_LEASE = 'poolwright-windows-hosts'
/** On a Lease `poolwright-nodes-…`: a scenario uses the nodes as they are, and nobody changes them meanwhile. */
export const NODES_IN_USE_LABEL = 'poolwright.dev/nodes-in-use'
/** On the Lease and on a scenario's namespace, as JSON: the process that has it. */
export const HOLDER_ANNOTATION = 'poolwright.dev/holder'
/** On a restored object for a moment: it makes a new version, so that a late write of the dead fails. */
export const RESTORE_FENCE_ANNOTATION = 'poolwright.dev/restore-fence'
