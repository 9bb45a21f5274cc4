import type { Resource } from '../registry/resource.ts'
import { CORE } from './core.ts'
import { EVENTS } from './events.ts'
import { WORKLOADS } from './workloads.ts'

/** Every built-in resource that is served, one row each. A new one is a row in one of these lists and a strategy. */
export const RESOURCES: readonly Resource[] = [...CORE, ...EVENTS, ...WORKLOADS]
