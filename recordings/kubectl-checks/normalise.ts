import { withoutGo } from '../compare/leniency.ts'

/** A line that the client's own libraries log, such as a watch or a list that its time limit cut short: a matter of moments. */
const CLIENT_LOG = /^[IWE]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ \w+\.go:\d+\] /

/** Makes what kubectl printed comparable, as vectors/README.md says; UIDs are numbered over the whole check. */
export class OutputNormaliser {
  readonly #uids = new Map<string, number>()

  normalise(text: string): string {
    return text
      .split('\n')
      .filter((line) => !CLIENT_LOG.test(line))
      .map((line) => this.#line(line))
      .join('\n')
  }

  #line(line: string): string {
    return withoutGo(line)
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (uid) => `<uid:${this.#number(uid)}>`)
      .replace(/(resourceVersion"?: ")\d+(")/g, '$1<rv>$2')
      .replace(/(?<=\s{2})(\d+[smhd]){1,2}(?=\s{2}|\s*$)/g, '<age>')
      .replace(/^(\d+[smhd]){1,2}(?=\s{2})/, '<age>')
      .replace(/(?<=\S) {2,}/g, '  ')
      .trimEnd()
  }

  #number(uid: string): number {
    const number = this.#uids.get(uid) ?? this.#uids.size + 1
    this.#uids.set(uid, number)
    return number
  }
}
