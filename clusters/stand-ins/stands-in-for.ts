/** What the Windows stand-ins play, in words for the report. */
export const STANDS_IN_FOR = ['Windows Machine Config Operator', 'machine controller']
