import { describe, it } from 'node:test'
import { expect } from 'chai'
import { KubeClient } from '../../src/kube/client.ts'
import type { Pod } from './pod.ts'
import { PodRecord } from './pod-record.ts'

/** Fed by hand: its own watch is over before it begins. */
function record(): PodRecord {
  const kube = new KubeClient({ server: 'http://127.0.0.1:9', insecure: true, namespace: 'default' })
  return new PodRecord(kube, '/api/v1/namespaces/ns/pods', AbortSignal.abort())
}

const pod = (name: string, uid: string, phase: string): Pod => ({
  metadata: { name, uid },
  status: { phase },
})
const bounds = (limitMs = 5_000) => ({ limitMs, signal: new AbortController().signal })
const resourceVersion = '1'

describe('the record of pods', () => {
  it('tells what was said last of a pod that is gone', async () => {
    const pods = record()
    pods.take({ type: 'ADDED', object: pod('web', '1', 'Running'), resourceVersion })
    const gone = pods.gone('web', bounds())
    pods.take({ type: 'DELETED', object: pod('web', '1', 'Failed'), resourceVersion })
    expect((await gone).status?.phase).to.equal('Failed')
    expect(pods.of('web').map(({ gone }) => gone)).to.deep.equal([false, true])
  })

  it('takes for gone what a new list no longer has', async () => {
    const pods = record()
    pods.take({ type: 'LISTED', objects: [pod('web', '1', 'Running')], resourceVersion })
    pods.take({ type: 'LISTED', objects: [pod('other', '2', 'Running')], resourceVersion })
    expect((await pods.gone('web', bounds())).status?.phase).to.equal('Running')
  })

  it('knows two pods of one name apart', async () => {
    const pods = record()
    pods.take({ type: 'ADDED', object: pod('web', '1', 'Running'), resourceVersion })
    pods.take({ type: 'DELETED', object: pod('web', '1', 'Failed'), resourceVersion })
    pods.take({ type: 'ADDED', object: pod('web', '2', 'Running'), resourceVersion })
    const late = await pods.gone('web', bounds(20)).catch(({ message }: Error) => message)
    expect(late).to.include('last seen: web Running')
    expect(pods.pods.length).to.equal(2)
  })
})
