import { readFile } from 'node:fs/promises'

const LIMIT = '/proc/sys/fs/inotify/max_user_instances'
/** Some 40 a node were seen in use; below this a second or third cluster of three nodes may not come up. */
const ENOUGH = 512

/**
 * Why nodes may not come up on a machine whose users get few inotify instances, and what to do; undefined where that is
 * no reason. Programs in a node that get none fail in many ways, none of which says so.
 */
export async function fewInotifyInstances(path = LIMIT): Promise<string | undefined> {
  const limit = Number(await readFile(path, 'utf8').catch(() => Number.NaN))
  if (!(limit < ENOUGH)) return undefined
  return (
    `Each user of this machine may have ${limit} inotify instances, too few for the nodes of several clusters: ` +
    `take others down, or as root: sysctl fs.inotify.max_user_instances=${ENOUGH}`
  )
}
