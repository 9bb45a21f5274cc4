import { ERROR_MEDIA_TYPE, SKIP_MEDIA_TYPE } from '../media-types.ts'
import type { Attachment } from '../model.ts'
import { diffView } from './diff.ts'
import { plain, shortened } from './format.ts'
import { type Html, html } from './html.ts'
import { recordsAsRows, tableView } from './table.ts'

interface Kind {
  /** Of the media type and the name, one after the other. */
  readonly matches: RegExp
  /** What to call one that has no name of its own. */
  readonly name: string
  readonly view: (attachment: Attachment) => Html
}

/** How each kind of evidence is shown; the first that matches serves. */
const KINDS: readonly Kind[] = [
  { matches: /^image\/(png|jpeg|gif|webp|svg\+xml) /, name: 'Picture', view: pictureView },
  { matches: /diff|patch/, name: 'Difference', view: ({ body }) => diffView(cut(body)) },
  { matches: /tab-separated-values|csv/, name: 'Table', view: separatedView },
  { matches: /ndjson|\.jsonl$/, name: 'Log', view: linesView },
  { matches: /json/, name: 'Data', view: jsonView },
  {
    matches: /\.txt$/,
    name: 'Text',
    view: ({ body }) => html`<pre class="columns">${cut(plain(body))}</pre>`,
  },
  { matches: /^text\/|yaml|xml/, name: 'Text', view: ({ body }) => html`<pre>${cut(plain(body))}</pre>` },
]

/** What a step left, folded up under its name. */
export function attachmentView(attachment: Attachment): Html {
  const { mediaType, name, body } = attachment
  if (mediaType.startsWith('application/vnd.allure')) return html``
  if (mediaType === SKIP_MEDIA_TYPE) return html`<p class="why">${body}</p>`
  if (mediaType === ERROR_MEDIA_TYPE) return errorView(body)
  const kind = KINDS.find(({ matches }) => matches.test(`${mediaType} ${name ?? ''}`))
  if (!kind || (attachment.binary && !mediaType.startsWith('image/'))) {
    const size = Buffer.byteLength(body, attachment.binary ? 'base64' : 'utf8')
    return html`<p class="attachment">${name ?? 'Attachment'} (${mediaType}, ${size} bytes, not shown)</p>`
  }
  return html`<details class="attachment"><summary>${name?.replace(/\.(txt|jsonl?|diff|csv)$/, '') ?? kind.name}</summary>${kind.view(attachment)}</details>`
}

function errorView(body: string): Html {
  const errors = parsed(body)
  const list = (Array.isArray(errors) ? errors : [errors]) as { code?: unknown; message?: unknown }[]
  return html`${list.map((error) => {
    const message = String(error?.message ?? body)
    return html`<p class="refusal"><code>${String(error?.code ?? 'Error')}</code> ${shortened(message, 2000)}</p>`
  })}`
}

function pictureView({ mediaType, body, binary, name }: Attachment): Html {
  const data = binary ? body : Buffer.from(body).toString('base64')
  return html`<img alt="${name ?? 'Picture'}" src="data:${mediaType};base64,${data}">`
}

function separatedView({ mediaType, body }: Attachment): Html {
  const separator = mediaType.includes('tab') ? '\t' : ','
  return tableView(
    body
      .trimEnd()
      .split('\n')
      .map((line) => line.split(separator)),
  )
}

function jsonView({ body }: Attachment): Html {
  const value = parsed(body)
  const rows = recordsAsRows(value)
  if (rows) return tableView(rows)
  return html`<pre>${cut(value === undefined ? body : JSON.stringify(value, null, 2))}</pre>`
}

/** A structured log, one record a line; what is no record is shown as it is. */
function linesView({ body }: Attachment): Html {
  const rows = recordsAsRows(body.trim().split('\n').map(parsed))
  return rows ? tableView(rows) : html`<pre>${cut(plain(body))}</pre>`
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

// A pool at its limit of 1 MiB would bury the rest of the page.
const LONGEST = 60_000

function cut(text: string): string {
  if (text.length <= LONGEST) return text
  return `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters, in messages.ndjson`
}
