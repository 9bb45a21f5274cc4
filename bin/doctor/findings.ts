import { execa } from 'execa'
import { engineFolders } from '../../clusters/kind/engine/engine-folders.ts'
import { lookForEngine } from '../../clusters/kind/engine/find-engine.ts'
import { builtKind } from '../../clusters/kind/from-packages/built-images.ts'
import { findKubectl, NO_KUBECTL } from '../../clusters/kubectl/find-kubectl.ts'
import { kubectlVersion } from '../../clusters/kubectl/kubectl-version.ts'
import { findProgram } from '../../clusters/this-machine/find-program.ts'
import { findJava, type Java } from '../../support/report/allure/java.ts'
import { NEEDS } from '../system/needs.ts'

/** One thing a machine has or lacks. */
export interface Finding {
  readonly subject: string
  readonly purpose: string
  /** Its version or path; undefined where it is missing. */
  readonly found: string | undefined
  /** How to get it. */
  readonly remedy: string
  /** The distribution package that brings it, where there is one. */
  readonly debianPackage?: string
}

/** Looks at everything that Poolwright can use, side by side. */
export function examineMachine(): Promise<Finding[]> {
  return Promise.all([node(), java(), kubectl(), go(), engine(), kind(), debootstrap()])
}

async function node(): Promise<Finding> {
  return { subject: 'node', purpose: 'everything', found: process.version, remedy: 'npm ci' }
}

async function java(): Promise<Finding> {
  const need = NEEDS.find(({ name }) => name === 'jre')
  const found = await findJava()
  return {
    subject: 'java',
    purpose: need?.purpose ?? '',
    found: found && describeJava(found),
    remedy: 'install a Java runtime',
    ...(need && { debianPackage: need.debianPackage }),
  }
}

/** Its version, and its path where it is not simply the one on the path. */
export function describeJava({ command, version }: Java): string {
  const number = /version "([^"]+)"/.exec(version)?.[1]
  const words = [number, ...(command === 'java' ? [] : [command])].filter(Boolean)
  return words.join(' ') || 'of unknown version'
}

async function kubectl(): Promise<Finding> {
  const program = await findKubectl()
  const found = program && `${await kubectlVersion(program)} ${program}`
  return { subject: 'kubectl 1.36', purpose: 'checks that kubectl works', found, remedy: NO_KUBECTL }
}

/** The rung kind needs one; on Debian or Ubuntu as root it brings its own. */
async function engine(): Promise<Finding> {
  const need = NEEDS.find(({ name }) => name === 'dockerd')
  const found = await lookForEngine(AbortSignal.timeout(ENGINE_LIMIT_MS), engineFolders())
  return {
    subject: 'container engine',
    purpose: need?.purpose ?? '',
    found: 'reason' in found ? undefined : `Docker ${found.serverVersion} ${found.endpoint}`,
    remedy: 'install Docker (https://docs.docker.com/engine/install), or start the one that is installed',
    ...(need && !findProgram('dockerd') && { debianPackage: need.debianPackage }),
  }
}

async function kind(): Promise<Finding> {
  return {
    subject: 'kind',
    purpose: 'the rung kind',
    found: (await builtKind()) ?? findProgram('kind'),
    remedy: 'install kind (https://kind.sigs.k8s.io), or build it: poolwright cluster images --from-packages',
  }
}

async function debootstrap(): Promise<Finding> {
  const need = NEEDS.find(({ name }) => name === 'debootstrap')
  return {
    subject: 'debootstrap',
    purpose: need?.purpose ?? '',
    found: findProgram('debootstrap'),
    remedy: 'install debootstrap, on Debian or Ubuntu',
    ...(need && { debianPackage: need.debianPackage }),
  }
}

const ENGINE_LIMIT_MS = 20_000

async function go(): Promise<Finding> {
  const { stdout, failed } = await execa('go', ['env', 'GOVERSION'], { reject: false, timeout: 15_000 })
  return {
    subject: 'go',
    purpose: 'building kubectl, and node images from packages',
    found: failed ? undefined : stdout.trim(),
    remedy: 'install Go 1.26 or newer (https://go.dev/dl)',
  }
}
