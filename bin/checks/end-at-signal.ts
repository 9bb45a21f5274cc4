/**
 * Loaded into every test process before its test: whoever runs them asks them to end by SIGTERM, and a test that has
 * taken that signal over must not outlive its run.
 */
process.prependListener('SIGTERM', () => process.exit(143))
