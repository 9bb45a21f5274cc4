import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsiManifests } from '../parts/csi.ts'
import { partImages } from './part-images.ts'

const DRIVER = 'poolwright.dev/csi-driver:0123456789ab'

const ASKED = `registry.k8s.io/kube-apiserver:v1.36.3
registry.k8s.io/kube-proxy:v1.36.3
registry.k8s.io/coredns/coredns:v1.14.2
registry.k8s.io/pause:3.10.2
registry.k8s.io/etcd:3.6.8-0
`

test('what kubeadm asks for is made under the name by which it asks', () => {
  const made = new Map(partImages(ASKED, DRIVER).map((part) => [part.image, part]))
  assert.equal(made.get('registry.k8s.io/coredns/coredns:v1.14.2')?.program, 'coredns')
  assert.equal(made.get('registry.k8s.io/etcd:3.6.8-0')?.family, 'etcd')
  assert.equal(made.get('registry.k8s.io/kube-proxy:v1.36.3')?.withTools, true)
})

test('the sandbox image of the container runtime is made beside kubeadm’s own, once', () => {
  const pauses = partImages(ASKED, DRIVER).filter(({ program }) => program === 'pause')
  assert.deepEqual(pauses.map(({ image }) => image).toSorted(), [
    'registry.k8s.io/pause:3.10',
    'registry.k8s.io/pause:3.10.2',
  ])
  const same = partImages('registry.k8s.io/pause:3.10', DRIVER).filter(({ program }) => program === 'pause')
  assert.equal(same.length, 1)
})

test('an image that nothing here makes is named', () => {
  assert.throws(
    () => partImages('registry.k8s.io/kube-novelty:v1', DRIVER),
    /asks for image registry.k8s.io\/kube-novelty:v1/,
  )
})

test('every image that the CSI part’s manifests name is made', async () => {
  const made = new Set(partImages('', DRIVER).map(({ image }) => image))
  const text = (await readCsiManifests(['node-folder', 'shared-folder'], DRIVER)).join('\n')
  const named = [...text.matchAll(/image: (\S+)/g)].map(([, image = '']) => image)
  assert.ok(named.includes(DRIVER))
  for (const image of named) assert.ok(made.has(image), image)
})
