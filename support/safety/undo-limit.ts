import type { Limits } from '../../clusters/provider.ts'

/** Milliseconds that putting back what one scenario changed may take, whatever becomes of the run: nodes that were off start again. */
export function undoLimitMs({ step }: Limits): number {
  return 2 * step
}
