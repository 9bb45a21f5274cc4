/**
 * Loaded into every child of a supervisor before its own program: when the supervisor is gone, however it ended, the
 * IPC channel closes and the child ends too. The channel alone keeps nothing running.
 */
process.on('disconnect', () => process.exit(0))
process.channel?.unref()
// The supervisor may have ended before this was loaded.
if (process.channel === undefined) process.exit(0)
