import type { World } from '@cucumber/cucumber'
import { SKIP_MEDIA_TYPE } from './report/media-types.ts'

/** Leaves the reason where every report looks for it; what a hook or a step returns to be skipped. */
export function skip(world: Pick<World, 'attach'>, reason: string): 'skipped' {
  world.attach(reason, { mediaType: SKIP_MEDIA_TYPE, fileName: 'why it was skipped' })
  return 'skipped'
}
