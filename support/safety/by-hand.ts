import { JOURNAL_NAMESPACE } from '../../src/contract/names.ts'
import type { FieldChange, JournalEntry } from './entry.ts'
import { keysOf } from './fields.ts'
import type { Recorded } from './journal.ts'
import { printTaint } from './taints.ts'

/** What a person does where undoing failed: commands for a shell, the last of which closes the entry. */
export function byHand({ name, entry }: Recorded): readonly string[] {
  return [...linesFor(entry), `kubectl -n ${JOURNAL_NAMESPACE} delete configmap ${quote(name)}`]
}

function linesFor({ target, change }: JournalEntry): readonly string[] {
  const object = `${quote(target.kind.toLowerCase())} ${quote(target.name)}`
  switch (change.kind) {
    case 'taints':
      return [
        ...change.added.map(({ key, effect }) => `kubectl taint ${object} ${quote(`${key}:${effect}`)}-`),
        ...change.removed.map((taint) => `kubectl taint ${object} ${quote(printTaint(taint))}`),
      ]
    case 'fields':
      return change.fields.map((field) => lineForField(object, field))
    case 'created':
      return [`kubectl delete ${object}`]
    case 'node-operation':
      return [
        change.operation === 'kill'
          ? `# switch node ${quote(target.name)} on again, as: npm run poolwright -- cluster node bring-back ${quote(target.name)} --cluster kind`
          : `# start the kubelet of ${quote(target.name)}, as: npm run poolwright -- cluster node start-kubelet ${quote(target.name)} --cluster kind`,
      ]
  }
}

function lineForField(object: string, { pointer, before }: FieldChange): string {
  const keys = keysOf(pointer)
  const [top, second, third = ''] = keys
  if (pointer === '/spec/unschedulable')
    return `kubectl ${before.value === true ? 'cordon' : 'uncordon'} ${object.split(' ')[1]}`
  if (top === 'metadata' && keys.length === 3) {
    const verb = second === 'labels' ? 'label' : 'annotate'
    if (before.value === undefined) return `kubectl ${verb} ${object} ${quote(third)}-`
    return `kubectl ${verb} --overwrite ${object} ${quote(`${third}=${String(before.value)}`)}`
  }
  const patch = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), before.value ?? null)
  return `kubectl patch ${object} --type merge -p ${quote(JSON.stringify(patch))}`
}

/** As a shell takes it for one word. */
export function quote(word: string): string {
  return /^[\w.,:=/@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
