import type { FieldValue, JournalEntry } from './entry.ts'
import { printTaint } from './taints.ts'

/** What was changed, in words: `Node worker-1: taint game=arena:NoSchedule added`. */
export function describeChange({ target, change }: JournalEntry): string {
  return `${target.kind} ${target.name}: ${words(change)}`
}

function words(change: JournalEntry['change']): string {
  switch (change.kind) {
    case 'taints':
      return [
        ...change.added.map((taint) => `taint ${printTaint(taint)} added`),
        ...change.removed.map((taint) => `taint ${printTaint(taint)} removed`),
      ].join(', ')
    case 'fields':
      return change.fields
        .map(({ pointer, before, ours }) => `${pointer} from ${print(before)} to ${print(ours.at(-1) ?? {})}`)
        .join(', ')
    case 'created':
      return 'made'
    case 'node-operation':
      return change.operation === 'kill' ? 'switched off' : 'its kubelet stopped'
  }
}

function print({ value }: FieldValue): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
