import type { EngineFolders } from './engine-folders.ts'

/** A containerd of the machine's own may be running, which dockerd then uses, beside others: by this ours are known. */
export function containerdNamespace({ id }: EngineFolders): string {
  return `poolwright-${id}`
}

/**
 * The engine's configuration file, dockerd's daemon.json. Everything stands in it and nothing on the command line: so
 * /etc/docker/daemon.json, which belongs to the machine's own engine, is not read.
 */
export function daemonConfig(
  folders: EngineFolders,
  { withoutSysResource }: { withoutSysResource: boolean },
) {
  return {
    'data-root': folders.dataRoot,
    'exec-root': folders.execRoot,
    pidfile: folders.pidFile,
    hosts: [`unix://${folders.socket}`],
    'containerd-namespace': containerdNamespace(folders),
    // Unbounded by default, and a node's container logs all that its systemd says.
    'log-driver': 'json-file',
    'log-opts': { 'max-size': '10m', 'max-file': '2' },
    // Nothing leaves the machine from here (network-fence.ts), so nothing needs an address that is known outside.
    'ip-masq': false,
    ...(withoutSysResource && {
      runtimes: { 'runc-without-sys-resource': { path: folders.runtimeWrapper } },
      'default-runtime': 'runc-without-sys-resource',
    }),
  }
}
