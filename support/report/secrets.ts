import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'

/** Something that must not be in a report. */
export interface Secret {
  /** What it is, for the message that says where it was found: never the secret itself. */
  readonly what: string
  readonly value: string
}

/** The fields of a kubeconfig's user that open a cluster. Certificates alone don't: they are public. */
const FIELDS = ['token', 'password', 'client-key-data'] as const
const FILE_FIELDS = ['tokenFile', 'client-key'] as const

/** Shorter ones would be found in innocent words. */
const SHORTEST = 8

/** Reads what a run's kubeconfigs hold that would let a reader of its reports into the cluster. */
export async function readSecrets(kubeconfigs: readonly string[]): Promise<Secret[]> {
  const read = await Promise.all(kubeconfigs.map(readKubeconfig))
  const distinct = new Map(read.flat().map((secret) => [secret.value, secret]))
  return [...distinct.values()].filter(({ value }) => value.length >= SHORTEST)
}

async function readKubeconfig(path: string): Promise<Secret[]> {
  const config = (await readYaml(path)) as {
    users?: { name?: string; user?: Record<string, unknown> }[]
  } | null
  const secrets: Secret[] = []
  for (const { name = 'unnamed', user = {} } of config?.users ?? []) {
    const add = (field: string, value: string) => secrets.push({ what: `${field} of user ${name}`, value })
    for (const field of FIELDS) {
      const value = user[field]
      if (typeof value === 'string') add(field, value)
    }
    const key = user['client-key-data']
    if (typeof key === 'string') add('client key', keyBody(Buffer.from(key, 'base64').toString('utf8')))
    for (const field of FILE_FIELDS) {
      const file = user[field]
      const content = typeof file === 'string' ? await readIfThere(resolve(dirname(path), file)) : undefined
      if (content) add(field, keyBody(content))
    }
  }
  return secrets
}

/** The longest line of a PEM block stands for it, whatever became of its line ends; another text stands for itself. */
function keyBody(text: string): string {
  if (!text.includes('-----BEGIN')) return text.trim()
  return text.split(/\r?\n/).reduce((longest, line) => (line.length > longest.length ? line : longest), '')
}

async function readYaml(path: string): Promise<unknown> {
  const content = await readIfThere(path)
  return content === undefined ? null : parse(content)
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
