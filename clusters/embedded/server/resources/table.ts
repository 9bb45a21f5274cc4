import type { Resource } from '../registry/resource.ts'
import { APPS } from './apps.ts'
import { COORDINATION } from './coordination.ts'
import { CORE } from './core.ts'
import { EVENTS } from './events.ts'
import { EXTENSIONS } from './extensions.ts'

/**
 * Every built-in resource that is served, one row each, by group in the order in which Kubernetes lists the groups. A new resource is
 * a row in one of these lists and a strategy.
 */
export const RESOURCES: readonly Resource[] = [...CORE, ...APPS, ...EVENTS, ...EXTENSIONS, ...COORDINATION]
