import { describe, it } from 'node:test'
import { expect } from 'chai'
import { validatePodTemplate } from './pod-template.ts'

const template = (ports: readonly object[], spec: object = {}): object => ({
  spec: { containers: [{ name: 'c', image: 'i', ports }], ...spec },
})

const complaints = (given: object): string[] =>
  validatePodTemplate(given, 'spec.template').map(({ field, detail }) => `${field}: ${detail}`)

describe('ports of a pod template', () => {
  it('are the ports of the host on its network, or left out', () => {
    const hostNetwork = true
    expect(complaints(template([{ containerPort: 80, hostPort: 81 }], { hostNetwork }))).to.deep.equal([
      'spec.template.spec.containers[0].ports[0].hostPort: must match `containerPort` when `hostNetwork` is true',
    ])
    expect(
      complaints(
        template(
          [{ containerPort: 80, hostPort: 80 }, { containerPort: 81 }, { containerPort: 82, hostPort: 0 }],
          {
            hostNetwork,
          },
        ),
      ),
    ).to.deep.equal([])
    expect(complaints(template([{ containerPort: 80, hostPort: 81 }]))).to.deep.equal([])
  })

  it('are numbers of ports, also on the host', () => {
    expect(complaints(template([{ containerPort: 80, hostPort: 65_536 }]))).to.deep.equal([
      'spec.template.spec.containers[0].ports[0].hostPort: must be between 1 and 65535, inclusive',
    ])
  })
})
