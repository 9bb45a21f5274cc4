import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

/** Parts of the tree, the narrowest first: a file belongs to the first whose prefix it has. */
const PARTS: readonly Part[] = [
  { prefix: 'features/', mayImport: [] },
  { prefix: 'steps/', mayImport: ['steps/', 'support/'] },
  // The one place that starts the reference implementation.
  { prefix: 'support/reference-implementation.ts', mayImport: ['support/', 'src/'] },
  {
    prefix: 'support/',
    mayImport: [
      'support/',
      'src/contract/',
      'src/kube/',
      'src/process/',
      'src/api/',
      'src/scheduling/',
      'clusters/provider.ts',
      'clusters/registry.ts',
    ],
  },
  // Commands of their own, which bring everything together as bin does.
  { prefix: 'clusters/kind/scripts/', mayImport: [''] },
  // What every rung needs of the machine it runs on, whatever cluster it makes.
  {
    prefix: 'clusters/this-machine/',
    mayImport: ['clusters/this-machine/', 'src/contract/', 'src/process/'],
  },
  { prefix: 'clusters/', mayImport: ['clusters/', 'src/contract/', 'src/kube/', 'src/process/'] },
  { prefix: 'src/contract/', mayImport: ['src/contract/'] },
  { prefix: 'src/kube/', mayImport: ['src/kube/', 'src/contract/'] },
  // Processes of this machine, told from later ones of the same number.
  { prefix: 'src/process/', mayImport: ['src/process/'] },
  { prefix: 'src/api/', mayImport: ['src/api/', 'src/contract/'] },
  { prefix: 'src/scheduling/', mayImport: ['src/scheduling/', 'src/contract/'] },
  {
    prefix: 'src/pool/',
    mayImport: ['src/pool/', 'src/contract/', 'src/kube/', 'src/api/', 'src/scheduling/'],
  },
  ...['bin/', 'bench/', 'recordings/', 'faults/', 'docs/', '.ci/'].map((prefix) => ({
    prefix,
    mayImport: [''],
  })),
]

/** Costs half a second and 130 MB to load: nothing that gets started and killed all the time may. */
const HEAVY = '@kubernetes/client-node'
const LIGHT = ['src/kube/', 'src/process/', 'src/contract/', 'clusters/', 'steps/', 'support/']

interface Part {
  readonly prefix: string
  readonly mayImport: readonly string[]
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))

test('every file imports only what its part of the tree may', () => {
  const violations = sources().flatMap((file) => check(file, readFileSync(join(ROOT, file), 'utf8')))
  expect(violations.join('\n')).to.equal('')
})

test('a broken rule is found, however the import is written', () => {
  expect(check('src/kube/x.ts', `import { a } from '../pool/a.ts'`)).to.have.length(1)
  expect(check('src/kube/x.ts', `import type {\n  A,\n} from '../pool/a.ts'`)).to.have.length(1)
  expect(check('src/kube/x.ts', `export * from '../pool/a.ts'`)).to.have.length(1)
  expect(check('clusters/x.ts', `await import('../src/api/a.ts')`)).to.have.length(1)
  expect(check('steps/x.ts', `import '../src/contract/a.ts'`)).to.have.length(1)
  expect(check('src/kube/x.ts', `import { b } from '@kubernetes/client-node'`)).to.have.length(1)
  expect(check('elsewhere/x.ts', '')).to.have.length(1)
  expect(check('src/kube/x.ts', `import { a } from '../contract/a.ts'`)).to.deep.equal([])
})

/** Tests may reach for whatever shows the behaviour. */
function sources(): string[] {
  const patterns = ['*/**/*.{ts,mjs}', '.ci/*.ts']
  return globSync(patterns, { cwd: ROOT, exclude: ['node_modules/**', 'reports/**'] }).filter(
    (file) => !/\.test\.ts$|^node_modules\/|^reports\//.test(file),
  )
}

function check(file: string, text: string): string[] {
  const part = PARTS.find(({ prefix }) => file.startsWith(prefix))
  if (!part) return [`${file} is in no part of the tree that the rules know`]
  return specifiers(text).flatMap((specifier) => {
    if (!specifier.startsWith('.')) {
      const heavy = specifier.startsWith(HEAVY) && LIGHT.some((prefix) => file.startsWith(prefix))
      return heavy ? [`${file} imports ${HEAVY}, which is too heavy for it`] : []
    }
    const target = normalize(join(dirname(file), specifier))
    return part.mayImport.some((allowed) => target.startsWith(allowed)) ? [] : [`${file} imports ${target}`]
  })
}

function specifiers(text: string): string[] {
  const written = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])([^'"\n]+)\1/g
  return [...text.matchAll(written)].map((match) => match[2] ?? '')
}
