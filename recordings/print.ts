import type { ControlResult } from './control/control.ts'
import type { Outcome } from './replay/replay.ts'

const SHOWN_DIFFERENCES = 12
const SHOWN_LENGTH = 600

/** What went wrong in a vector of this storey, for a person: the request, the path, both sides. */
export function failureLines({ family, category, vector, later, failures }: Outcome): string[] {
  if (failures === undefined || failures.length === 0 || later !== undefined) return []
  const lines = ['', `✗ ${family}/${category} ${vector.name}`]
  let step = -1
  for (const failure of failures.slice(0, SHOWN_DIFFERENCES)) {
    const at = vector.steps[failure.step]
    if (failure.step !== step && at !== undefined)
      lines.push(`  step ${failure.step}: ${'method' in at ? `${at.method} ${at.path}` : Object.keys(at)[0]}`)
    step = failure.step
    const sides = [`      expected ${short(failure.expected)}`, `      found    ${short(failure.found)}`]
    lines.push(`    ${failure.path}`, ...sides)
  }
  if (failures.length > SHOWN_DIFFERENCES) lines.push(`    … and ${failures.length - SHOWN_DIFFERENCES} more`)
  return lines
}

/** How many changed values the comparison noticed, then each that it did not. */
export function controlLines({ tried, exempt, missed }: ControlResult): string[] {
  const total = Object.values(tried).reduce((sum, count) => sum + count, 0)
  const kinds = Object.entries(tried).map(([kind, count]) => `${count} ${kind}`)
  return [
    `control: ${total - missed.length} of ${total} changed values told apart (${kinds.join(', ')}), ${exempt} exempt`,
    ...missed.map((one) => `  not noticed: ${one}`),
  ]
}

function short(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}… (${text.length} characters)` : text
}
