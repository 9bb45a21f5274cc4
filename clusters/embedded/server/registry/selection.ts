import { parseFieldSelector } from '../selectors/fields.ts'
import { SelectorError } from '../selectors/label-lexer.ts'
import { parseLabelSelector } from '../selectors/labels.ts'
import { badRequest } from '../status.ts'
import type { KubeObject } from './kube-object.ts'
import type { Resource } from './resource.ts'

/** Which objects a list or a watch is about. */
export interface Selection {
  readonly matches: (object: KubeObject) => boolean
  /** Nothing is left out, so what remains of a list can be counted. */
  readonly everything: boolean
}

/** Reads labelSelector and fieldSelector; a name in the path selects by name. Throws ApiError 400. */
export function selection(row: Resource, query: URLSearchParams, name?: string): Selection {
  const labels = query.get('labelSelector') ?? ''
  const fields = query.get('fieldSelector') ?? ''
  try {
    const byLabels = labels === '' ? undefined : parseLabelSelector(labels)
    const byFields = fields === '' ? undefined : parseFieldSelector(row, fields)
    return {
      everything: byLabels === undefined && byFields === undefined && name === undefined,
      matches: (object) =>
        (name === undefined || object.metadata.name === name) &&
        (byLabels === undefined || byLabels(object.metadata.labels)) &&
        (byFields === undefined || byFields(object)),
    }
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message)
    throw error
  }
}
