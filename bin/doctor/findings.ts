import { execa } from 'execa'
import { findKubectl, NO_KUBECTL } from '../../clusters/kubectl/find-kubectl.ts'
import { kubectlVersion } from '../../clusters/kubectl/kubectl-version.ts'
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
  return Promise.all([node(), java(), kubectl(), go()])
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

async function go(): Promise<Finding> {
  const { stdout, failed } = await execa('go', ['env', 'GOVERSION'], { reject: false, timeout: 15_000 })
  return {
    subject: 'go',
    purpose: 'building kubectl',
    found: failed ? undefined : stdout.trim(),
    remedy: 'install Go 1.26 or newer (https://go.dev/dl)',
  }
}
