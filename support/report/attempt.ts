import {
  type Attachment as AttachmentMessage,
  type TestCaseStarted,
  type TestStep,
  type TestStepFinished,
  TimeConversion,
} from '@cucumber/messages'
import type { Query } from '@cucumber/query'
import type { Attachment, Attempt, Step, StepStatus } from './model.ts'

const HOOK_NAMES: Readonly<Record<string, string>> = {
  BEFORE_TEST_CASE: 'Before',
  AFTER_TEST_CASE: 'After',
  BEFORE_TEST_STEP: 'Before step',
  AFTER_TEST_STEP: 'After step',
}

/** One try of a scenario with its steps in the order they ran, the unfinished last one included. */
export function readAttempt(query: Query, started: TestCaseStarted): Attempt {
  const finished = new Map(query.findTestStepsFinishedBy(started).map((each) => [each.testStepId, each]))
  const steps = query.findTestStepsStartedBy(started).flatMap((begun) => {
    const testStep = query.findTestStepBy(begun)
    return testStep ? [readStep(query, started, testStep, finished.get(testStep.id))] : []
  })
  const duration = query.findTestCaseDurationBy(started)
  return {
    steps,
    finished: query.findTestCaseFinishedBy(started) !== undefined,
    startedAt: new Date(TimeConversion.timestampToMillisecondsSinceEpoch(started.timestamp)).toISOString(),
    milliseconds: duration ? TimeConversion.durationToMilliseconds(duration) : 0,
  }
}

function readStep(
  query: Query,
  started: TestCaseStarted,
  testStep: TestStep,
  finished: TestStepFinished | undefined,
): Step {
  const pickleStep = query.findPickleStepBy(testStep)
  const hook = query.findHookBy(testStep)
  const table = pickleStep?.argument?.dataTable?.rows.map((row) => row.cells.map((cell) => cell.value))
  const docString = pickleStep?.argument?.docString?.content
  const result = finished?.testStepResult
  const where = { testCaseStartedId: started.id, testStepId: testStep.id } as TestStepFinished
  return {
    keyword: pickleStep ? (query.findStepBy(pickleStep)?.keyword ?? '') : '',
    text: pickleStep?.text ?? [HOOK_NAMES[hook?.type ?? ''] ?? 'Hook', hook?.name].filter(Boolean).join(': '),
    hook: !pickleStep,
    status: result ? (result.status.toLowerCase() as StepStatus) : 'running',
    milliseconds: result ? TimeConversion.durationToMilliseconds(result.duration) : 0,
    ...(result?.message && { message: result.message }),
    ...(table && { table }),
    ...(docString !== undefined && { docString }),
    attachments: query.findAttachmentsBy(where).map(readAttachment),
  }
}

function readAttachment(message: AttachmentMessage): Attachment {
  const base64 = message.contentEncoding === 'BASE64'
  const textual = base64 && /^text\/|json|yaml|xml/.test(message.mediaType)
  return {
    mediaType: message.mediaType,
    ...(message.fileName && { name: message.fileName }),
    body: textual ? Buffer.from(message.body, 'base64').toString('utf8') : message.body,
    binary: base64 && !textual,
  }
}
