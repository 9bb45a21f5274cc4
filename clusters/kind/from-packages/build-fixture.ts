import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { execa } from 'execa'
import type { Engine } from '../engine/engine.ts'
import { familyKey } from './build-family.ts'
import { debianKey, rootfsPath } from './debian.ts'
import { type PlannedImage, TREES } from './image-plan.ts'
import { FAMILIES, programPath, programs } from './programs.ts'
import { type ArtifactKey, artifactPath } from './store.ts'

/** A machine whose cache and engine are a test's own: programs and trees can stand, and docker only keeps names. */
export interface FakeMachine {
  readonly folder: string
  readonly engine: Engine
  /** All that docker was asked, one line a call. */
  asked(): Promise<readonly string[]>
  /** Names of the images and containers that the engine has. */
  images(): Promise<readonly string[]>
  containers(): Promise<readonly string[]>
  addImage(image: string, inputs?: string): Promise<void>
  addPlanned(image: PlannedImage): Promise<void>
  addContainer(id: string): Promise<void>
  /** From now on docker fails for what matches, in the way of grep, and says this. */
  failFor(pattern: string, says?: string): Promise<void>
  /** As if every family and tree had been built. */
  buildEverything(): Promise<void>
  /** A program of that name, first on the path. */
  install(program: string, script: string): Promise<void>
  dispose(): Promise<void>
}

const IMAGES_OF_KUBEADM = [
  'registry.k8s.io/kube-apiserver:v1',
  'registry.k8s.io/kube-proxy:v1',
  'registry.k8s.io/coredns/coredns:v1',
  'registry.k8s.io/pause:3.10.2',
]

const DOCKER = `#!/bin/sh
PATH=/bin:/usr/bin
echo "$*" | tr '\\n' ' ' >> "$FAKE/asked"
echo >> "$FAKE/asked"
if [ -e "$FAKE/fail" ] && echo "$*" | grep -q -e "$(cat "$FAKE/fail")"; then cat "$FAKE/says" >&2; exit 1; fi
file() { echo "$FAKE/images/$(echo "$1" | tr / %)"; }
for last; do :; done
made() {
  inputs=$(echo "$2" | grep -o 'poolwright.dev/inputs=[0-9a-f]*' | head -n 1 | cut -d = -f 2)
  echo "{\\"poolwright.dev/inputs\\":\\"$inputs\\"}" > "$(file "$1")"
}
all=$*
case "$1 $2" in
  'info '*) echo '{"ServerVersion":"27.0.0","CgroupVersion":"2","DockerRootDir":"/no-engine"}';;
  'context '*) echo unix:///no-engine.sock;;
  'image inspect') cat "$(file "$last")" 2>/dev/null || { echo "Error: No such image: $last" >&2; exit 1; };;
  'image ls') ls "$FAKE/images" | tr % /;;
  'image rm') shift 2; for name; do case $name in -*);; *) rm -f "$(file "$name")";; esac; done;;
  'import '*|'commit '*) made "$last" "$all";;
  'tag '*) cp "$(file "$2")" "$(file "$last")";;
  'build '*) while [ "$1" != --tag ]; do shift; done; made "$2" "$all";;
  'save '*) : > "$3";;
  'ps '*) ls "$FAKE/containers";;
  'run '*) while [ "$1" != --name ]; do shift; done; : > "$FAKE/containers/$2";;
  'rm '*) shift; for name; do case $name in -*);; *) rm -f "$FAKE/containers/$name";; esac; done;;
esac
`

export async function fakeMachine(): Promise<FakeMachine> {
  const before = { ...process.env }
  const folder = await mkdtemp(join(tmpdir(), 'poolwright build test-'))
  const at = (...names: string[]): string => join(folder, ...names)
  for (const name of ['bin', 'images', 'containers']) await mkdir(at(name))
  for (const tool of ['sh', 'tar', 'nice', 'env']) await symlink(`/bin/${tool}`, at('bin', tool))
  const install = async (program: string, script: string): Promise<void> => {
    await writeFile(at('bin', program), script)
    await chmod(at('bin', program), 0o755)
  }
  await install('docker', DOCKER)
  const { DOCKER_HOST: _, ...rest } = process.env
  replaceEnvironment({
    ...rest,
    PATH: `${at('bin')}${delimiter}${dirname(process.execPath)}`,
    XDG_CACHE_HOME: at('cache'),
    FAKE: folder,
  })
  const addImage = (image: string, inputs = ''): Promise<void> =>
    writeFile(at('images', image.replaceAll('/', '%')), JSON.stringify({ 'poolwright.dev/inputs': inputs }))
  return {
    folder,
    engine: {
      endpoint: 'unix:///no-engine.sock',
      environment: {},
      serverVersion: '27.0.0',
      cgroupVersion: 2,
      dataRoot: '/no-engine',
      ours: false,
    },
    asked: async () => (await readFile(at('asked'), 'utf8').catch(() => '')).split(/ ?\n/).filter(Boolean),
    images: async () => (await readdir(at('images'))).map((name) => name.replaceAll('%', '/')).toSorted(),
    containers: () => readdir(at('containers')),
    addImage,
    addPlanned: ({ image, inputs }) => addImage(image, inputs),
    addContainer: (id) => writeFile(at('containers', id), ''),
    failFor: async (pattern, says = 'it is broken') => {
      await writeFile(at('fail'), pattern)
      await writeFile(at('says'), says)
    },
    buildEverything,
    install,
    dispose: async () => {
      replaceEnvironment(before)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function replaceEnvironment(next: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in next)) delete process.env[name]
  Object.assign(process.env, next)
}

async function buildEverything(): Promise<void> {
  for (const family of FAMILIES) {
    const path = await addArtifact(await familyKey(family))
    await mkdir(join(path, 'bin'))
    for (const program of programs(family)) {
      const says = program === 'kubeadm' ? IMAGES_OF_KUBEADM : []
      await writeFile(
        programPath(path, program),
        `#!/bin/sh\n${says.map((line) => `echo ${line}`).join('\n')}\n`,
        {
          mode: 0o755,
        },
      )
    }
    for (const { to } of family.files ?? []) await mkdir(join(path, 'files', to), { recursive: true })
    if (family.name === 'kind') await mkdir(join(path, 'files', 'base', 'files'), { recursive: true })
    if (family.name === 'metallb')
      await writeFile(join(path, 'files', 'manifests', 'metallb-native.yaml'), 'kind: List\n')
  }
  for (const tree of Object.values(TREES)) {
    const path = await addArtifact(debianKey(tree))
    const root = join(path, 'root')
    await mkdir(join(root, 'bin'), { recursive: true })
    await writeFile(join(root, 'bin', 'busybox'), 'busybox')
    await execa('tar', ['--create', '--file', rootfsPath(path), '--directory', root, '.'])
  }
}

async function addArtifact(key: ArtifactKey): Promise<string> {
  const path = artifactPath(key)
  await mkdir(path, { recursive: true })
  const record = { ...key, madeAt: new Date(0).toISOString(), seconds: 1, facts: {} }
  await writeFile(join(path, 'artifact.json'), JSON.stringify(record))
  return path
}
