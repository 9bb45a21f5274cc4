/**
 * The resourceVersion in a body: of an object or a list, of a merge patch, or the one that a JSON patch tests.
 * Undefined where there is none, or where the body isn't JSON.
 */
export function resourceVersionIn(body: Buffer): string | undefined {
  const content = parse(body)
  if (Array.isArray(content)) return ofJsonPatch(content)
  const version = (content as { metadata?: { resourceVersion?: unknown } } | undefined)?.metadata
    ?.resourceVersion
  return typeof version === 'string' ? version : undefined
}

function ofJsonPatch(operations: readonly unknown[]): string | undefined {
  for (const operation of operations as { op?: unknown; path?: unknown; value?: unknown }[])
    if (operation?.path === '/metadata/resourceVersion' && typeof operation.value === 'string')
      return operation.value
  return undefined
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) ?? undefined
  } catch {
    return undefined
  }
}
