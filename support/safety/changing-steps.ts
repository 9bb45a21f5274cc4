import type { ScenarioSafety } from './scenario-safety.ts'

/** What a step's definition may say of itself. */
export interface StepNature {
  /** Nodes and other objects outside of namespaces, or what the Windows operator configures. */
  readonly changes: 'cluster' | 'windows-hosts'
}

/** The options of such a step's definition: `Given(pattern, changesCluster, …)`. Its scenarios are tagged @changes-cluster. */
export const changesCluster: { readonly wrapperOptions: StepNature } = {
  wrapperOptions: { changes: 'cluster' },
}

/** The same of what the Windows operator configures. Their scenarios are tagged @changes-windows-hosts. */
export const changesWindowsHosts: { readonly wrapperOptions: StepNature } = {
  wrapperOptions: { changes: 'windows-hosts' },
}

/** Of a step or a hook. */
type Code = (this: never, ...values: never[]) => unknown

/**
 * Lets the world's changes work while a step that changes the cluster runs, and at no other time; a step that changes Windows
 * hosts runs only where the scenario holds them.
 */
export function permitChanges(code: Code, nature: Partial<StepNature> | undefined): Code {
  if (nature?.changes === 'windows-hosts')
    return function (this: { readonly safety: ScenarioSafety }, ...values: readonly unknown[]) {
      this.safety.assertHoldsWindowsHosts()
      return Reflect.apply(code, this, values)
    }
  if (nature?.changes !== 'cluster') return code
  return async function (this: { readonly safety: ScenarioSafety }, ...values: readonly unknown[]) {
    const end = this.safety.allowChanges()
    try {
      return await Reflect.apply(code, this, values)
    } finally {
      end()
    }
  }
}
