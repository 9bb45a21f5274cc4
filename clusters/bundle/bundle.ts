import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../src/contract/errors.ts'

/** A program of ours as one file of plain JavaScript, for any image that has Node 20 or newer. */
export interface Bundle {
  /** Ends with a hash of the content, so that two programs are never mistaken for one another. */
  readonly name: string
  readonly code: string
}

/** A ConfigMap carries a mebibyte in all; the rest is for its names. */
const LARGEST_BYTES = 1_000_000
const NODE_20 = fileURLToPath(new URL('node-20.js', import.meta.url))

/** Bundles the program that begins in this file. Throws UsageError where it would not fit into a ConfigMap. */
export async function bundleProgram(name: string, entry: string): Promise<Bundle> {
  // Loaded here: whoever needs no bundle doesn't pay for the bundler.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [entry],
    inject: [NODE_20],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
    // What a bundled CommonJS module asks for at run time.
    banner: {
      js: "import{createRequire as _require}from'node:module';const require=_require(import.meta.url);",
    },
  })
  const code = outputFiles.map(({ text }) => text).join('')
  const bytes = Buffer.byteLength(code)
  if (bytes > LARGEST_BYTES)
    throw new UsageError(
      `The bundle of ${name} has ${bytes} bytes; a ConfigMap takes ${LARGEST_BYTES} of them`,
    )
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 12)
  return { name: `${name}-${hash}`, code }
}
