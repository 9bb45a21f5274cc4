/** The parts of Allure's result files that we read or rewrite; everything else in them is kept as it is. */

export interface AllureLabel {
  name: string
  value: string
}

export interface AllureAttachment {
  name?: string
  source: string
  type?: string
}

export interface AllureStep {
  name?: string
  status?: string
  statusDetails?: { message?: string; trace?: string; flaky?: boolean }
  steps?: AllureStep[]
  attachments?: AllureAttachment[]
}

export interface AllureResult extends AllureStep {
  uuid: string
  historyId?: string
  /** Folders, then the feature's title. */
  titlePath?: string[]
  labels?: AllureLabel[]
  links?: { name: string; url: string; type?: string }[]
  parameters?: { name: string; value: string }[]
  start?: number
}

/** Hooks of one or more results. */
export interface AllureContainer {
  children?: string[]
  befores?: AllureStep[]
  afters?: AllureStep[]
}
