import { ApiError } from '../status.ts'

export type Format = 'json' | 'yaml'

/** How an answer is to be shown: as it is, or as a table or as metadata only. */
export interface Negotiated {
  readonly format: Format
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata'
}

interface Accepted {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

const NOT_ACCEPTABLE =
  '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'

/** Chooses the first form of an Accept header that we can give. Throws ApiError 406. */
export function negotiate(header: string | undefined): Negotiated {
  for (const { type, parameters } of parseAccept(header)) {
    const format = formatOf(type)
    if (format === undefined) continue
    const as = parameters.as
    if (as === undefined) return { format, as: 'object' }
    const kind = as.replace(/List$/, '')
    if (parameters.g !== 'meta.k8s.io' || (parameters.v !== 'v1' && parameters.v !== 'v1beta1')) continue
    if (kind === 'Table' || kind === 'PartialObjectMetadata') return { format, as: kind }
  }
  throw new ApiError(406, 'NotAcceptable', NOT_ACCEPTABLE, {})
}

export function parseAccept(header: string | undefined): Accepted[] {
  const text = header === undefined || header.trim() === '' ? '*/*' : header
  return text.split(',').map((part) => {
    const [type = '', ...rest] = part.split(';').map((each) => each.trim())
    const parameters = Object.fromEntries(rest.map((each) => each.split('=', 2) as [string, string]))
    return { type, parameters }
  })
}

function formatOf(type: string): Format | undefined {
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'json'
  return type === 'application/yaml' ? 'yaml' : undefined
}
