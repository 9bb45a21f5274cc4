import type { ConfigMap } from '../../src/contract/kubernetes.ts'

/**
 * What a scenario asks of the stand-ins, through the ConfigMap `windows-stand-in` in the operator's namespace. All
 * keys are optional; lists are separated by white space; what is not understood is ignored and logged.
 */
export interface Steering {
  /** `operator`: ready 1/1; there but 0/1 and doing nothing; or not installed at all. */
  readonly operator: 'up' | 'down' | 'absent'
  /** `machines`: whether the cloud gives out machines. */
  readonly machines: 'provision' | 'fail'
  /** `unreachable`: addresses that the operator can't log in to, so that no Node appears. */
  readonly unreachable: ReadonlySet<string>
  /** `not-ready`: addresses whose Node is there but not Ready. */
  readonly notReady: ReadonlySet<string>
  /** `stuck`: addresses that stay configured after their entry is gone. */
  readonly stuck: ReadonlySet<string>
  /** What was not understood, in words. */
  readonly problems: readonly string[]
}

/** Reads the steering ConfigMap; without one everything goes well. */
export function readSteering(configMap: ConfigMap | undefined): Steering {
  const data = new Map(Object.entries(configMap?.data ?? {}))
  const problems = [...data.keys()].filter((key) => !KEYS.includes(key)).map((key) => `unknown key ${key}`)
  const choose = <T extends string>(key: string, ...choices: readonly [T, ...T[]]): T => {
    const asked = data.get(key)?.trim()
    const found = choices.find((choice) => choice === asked)
    if (asked !== undefined && !found) problems.push(`${key} is none of ${choices.join(', ')}`)
    return found ?? choices[0]
  }
  const addresses = (key: string): Set<string> => new Set((data.get(key) ?? '').split(/\s+/).filter(Boolean))
  return {
    operator: choose('operator', 'up', 'down', 'absent'),
    machines: choose('machines', 'provision', 'fail'),
    unreachable: addresses('unreachable'),
    notReady: addresses('not-ready'),
    stuck: addresses('stuck'),
    problems,
  }
}

const KEYS = ['operator', 'machines', 'unreachable', 'not-ready', 'stuck']
