import { randomInt } from 'node:crypto'

/** No vowels and no look-alikes, as k8s.io/apimachinery/pkg/util/rand. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789'

/** The five characters that end a generated name. */
export function randomSuffix(): string {
  return Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}
