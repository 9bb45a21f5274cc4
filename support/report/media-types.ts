/** Attachments by which the suite speaks to the report; everything else is evidence to show. */

/** The reason a Before hook skipped its scenario, as text. */
export const SKIP_MEDIA_TYPE = 'text/x.poolwright.skip+plain'

/** An error the implementation answered with: `{code, message}`, or a list of those. */
export const ERROR_MEDIA_TYPE = 'application/x.poolwright.error+json'
