/** The fields of an entry that Poolwright reads and writes; every other one is kept as it is. */
export const FIELDS = [
  'status',
  'username',
  'address-type',
  'platform',
  'machine',
  'test-id',
  'allocated-at',
  'last-updated',
] as const

export type Field = (typeof FIELDS)[number]

export function isField(name: string): name is Field {
  return (FIELDS as readonly string[]).includes(name)
}

/** Values by field: absent and empty mean the same to a decision. */
export type FieldValues = Readonly<Partial<Record<Field, string>>>
