/** The path of a collection: `collectionPath('v1', 'configmaps', 'default')`, `collectionPath('apps/v1', …)`. */
export function collectionPath(apiVersion: string, resource: string, namespace?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  return `${root}${scope}/${resource}`
}

/** The path of one object, or of a subresource of it. */
export function objectPath(collection: string, name: string, subresource?: string): string {
  return `${collection}/${encodeURIComponent(name)}${subresource ? `/${subresource}` : ''}`
}
