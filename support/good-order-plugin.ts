import type { Plugin } from '@cucumber/cucumber/api'
import { readRunContext } from './run-context.ts'
import { inGoodOrder } from './safety/side-by-side.ts'

/** Tells Cucumber in which order scenarios keep all workers of one cluster busy. */
const goodOrder: Plugin = {
  type: 'plugin',
  coordinator: ({ transform }) => {
    // Where each worker has a cluster of its own, any order does.
    if (readRunContext().kubeconfigs.length > 1) return
    transform('pickles:order', (scenarios) =>
      inGoodOrder(scenarios.map((one) => ({ ...one, tags: one.pickle.tags }))),
    )
  },
}

export default goodOrder
