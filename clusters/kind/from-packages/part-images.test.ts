import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { CSI_DRIVER_IMAGE, partImages } from './part-images.ts'

const ASKED = `registry.k8s.io/kube-apiserver:v1.36.3
registry.k8s.io/kube-proxy:v1.36.3
registry.k8s.io/coredns/coredns:v1.14.2
registry.k8s.io/pause:3.10.2
registry.k8s.io/etcd:3.6.8-0
`

test('what kubeadm asks for is made under the name by which it asks', () => {
  const made = new Map(partImages(ASKED).map((part) => [part.image, part]))
  assert.equal(made.get('registry.k8s.io/coredns/coredns:v1.14.2')?.program, 'coredns')
  assert.equal(made.get('registry.k8s.io/etcd:3.6.8-0')?.family, 'etcd')
  assert.equal(made.get('registry.k8s.io/kube-proxy:v1.36.3')?.withTools, true)
})

test('the sandbox image of the container runtime is made beside kubeadm’s own, once', () => {
  const pauses = partImages(ASKED).filter(({ program }) => program === 'pause')
  assert.deepEqual(pauses.map(({ image }) => image).toSorted(), [
    'registry.k8s.io/pause:3.10',
    'registry.k8s.io/pause:3.10.2',
  ])
  const same = partImages('registry.k8s.io/pause:3.10').filter(({ program }) => program === 'pause')
  assert.equal(same.length, 1)
})

test('an image that nothing here makes is named', () => {
  assert.throws(
    () => partImages('registry.k8s.io/kube-novelty:v1'),
    /asks for image registry.k8s.io\/kube-novelty:v1/,
  )
})

test('every image that the CSI part’s manifests name is made', async () => {
  const made = new Set(partImages('').map(({ image }) => image))
  assert.ok(made.has(CSI_DRIVER_IMAGE))
  for (const file of ['2-node-folder.yaml', '3-shared-folder.yaml']) {
    const text = await readFile(new URL(`../parts/csi/${file}`, import.meta.url), 'utf8')
    for (const [, image = ''] of text.matchAll(/image: (\S+)/g)) assert.ok(made.has(image), image)
  }
})
