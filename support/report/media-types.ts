/** Attachments by which the suite speaks to the report; everything else is evidence to show. */

/** The reason a Before hook skipped its scenario, as text. */
export const SKIP_MEDIA_TYPE = 'text/x.poolwright.skip+plain'

/** How that reason begins when it skips because the run ends early: nothing was decided about a cell. */
export const INTERRUPTED = 'The run was interrupted'

/** An error the implementation answered with: `{code, message}`, or a list of those. */
export const ERROR_MEDIA_TYPE = 'application/x.poolwright.error+json'
