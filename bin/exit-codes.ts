/** What the command line's exit code says; scripts and CI rely on these. */
export const EXIT = {
  /** All that ran passed. Missing and skipped cells don't change that unless --require names them. */
  passed: 0,
  /** A scenario failed or was flaky, or a required criterion did not pass. */
  failed: 1,
  /** The command was used wrongly or the machine lacks something; one clear line says what. */
  usage: 2,
  /** Interrupted by a signal. */
  interrupted: 130,
} as const
