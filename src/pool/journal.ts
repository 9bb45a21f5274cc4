import type { LogRecord } from '../contract/implementation.ts'

/** What one operation did: its attempts, the delays between them, and its structured log. */
export interface Journal {
  attempts: number
  /** Milliseconds waited before attempt 2, 3, … */
  readonly delays: number[]
  readonly records: LogRecord[]
  record(level: LogRecord['level'], line: Omit<LogRecord, 'time' | 'level'>): void
}

/** One journal per operation: the adapter hands it out with the result, so that a reader sees how it came about. */
export function openJournal(sink?: (record: LogRecord) => void): Journal {
  const records: LogRecord[] = []
  return {
    attempts: 0,
    delays: [],
    records,
    record(level, line) {
      const record: LogRecord = { time: new Date().toISOString(), level, ...line }
      records.push(record)
      sink?.(record)
    },
  }
}
