const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** The number that a quantity of the API stands for: `100m` is 0.1, `1Ki` 1024, `2e3` 2000. Throws for what is none. */
export function quantity(text: string): number {
  const [, number, unit = ''] = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([A-Za-z]*)$/.exec(text) ?? []
  const factor = FACTORS[unit]
  if (number === undefined || factor === undefined) throw new Error(`"${text}" is no quantity`)
  return Number(number) * factor
}
