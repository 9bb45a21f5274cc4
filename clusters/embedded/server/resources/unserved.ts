import type { ResourcePath } from '../http/request-path.ts'

export function refuseUnserved(_path: ResourcePath, _method: string): void {}
