/** A few kubectl commands in a namespace of their own, and what they printed against a real Kubernetes. */
export interface KubectlCheck {
  readonly name: string
  readonly kubernetes: string
  readonly namespace: string
  readonly commands: readonly RecordedCommand[]
}

/** What to run. `NS` stands for the check's namespace, in arguments and input alike. */
export interface PlannedCommand {
  readonly argv: readonly string[]
  readonly stdin?: string
  /** Commands run while this one is under way, once it has printed something. */
  readonly during?: readonly PlannedCommand[]
  /** For a command that goes on for ever: it is ended once it has printed so many lines. */
  readonly untilLines?: number
}

/** `exit` is null for a command that was ended. */
export interface RecordedCommand extends PlannedCommand {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}
