import { at, withValueAt } from '../json/access.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import { type FieldError, invalidValue } from '../validation/field-error.ts'
import { strategy } from './strategy.ts'

export const leases = strategy({
  createOnUpdate: true,
  unconditionalUpdate: false,
  prepareForCreate: withoutCoordination,
  prepareForUpdate: withoutCoordination,
  validate,
  validateUpdate: validate,
})

/** Fields of the feature gate CoordinatedLeaderElection, which is off by default: Kubernetes drops them, so do we. */
function withoutCoordination(object: KubeObject): KubeObject {
  const dropped = ['strategy', 'preferredHolder'].filter((field) => at(object, 'spec', field) !== undefined)
  return dropped.reduce((current, field) => withValueAt(current, ['spec', field], undefined), object)
}

function validate(object: KubeObject): FieldError[] {
  const duration = at(object, 'spec', 'leaseDurationSeconds')
  const transitions = at(object, 'spec', 'leaseTransitions')
  return [
    ...(typeof duration === 'number' && duration <= 0
      ? [invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
      : []),
    ...(typeof transitions === 'number' && transitions < 0
      ? [invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : []),
  ]
}
