// Errors as servers write them into streams and bodies, in the dozen shapes that they have for it.

import { excerpt } from '../arguments/excerpt.ts'
import type { StreamError } from '../model/events.ts'
import { list, number, present, record, text, word, type Fields } from './fields.ts'

/** What a server says of an error. */
export interface ServerWords {
  /** Its own words; where none are found, the start of what it sent. */
  readonly message: string
  /** `rate_limit_error`; a number where the server only counts its errors; `null` where it does neither. */
  readonly code: string | number | null
  /** The HTTP status that the error itself names. */
  readonly status: number | null
}

/**
 * Reads an error, whichever way it came: a text, a page, JSON as text, or an object with some of `message`, `code`, `type`, `status`,
 * possibly wrapped in `error` and the like, or a list of any of these.
 */
export function serverWords(raw: unknown): ServerWords {
  const value = parsed(raw)
  const layers = layersOf(value)
  // A text that is no JSON holds no words that could be told from the rest.
  const message = typeof value === 'string' && value === raw ? null : messageIn(value, 0, new Set())
  return {
    message: message ?? startOf(typeof raw === 'string' ? plainText(raw) : asText(raw)),
    code: firstOf(layers, codeOf),
    status: firstOf(layers, httpStatus),
  }
}

/**
 * The error that `raw` describes, as an event of the stream. All of it is kept in `raw`. `event` is the name of the event that
 * brought it: that of an exception is its code.
 */
export function serverError(raw: unknown, frame: number, event?: string): StreamError {
  const { message, code, status } = serverWords(raw)
  return {
    code: exceptionName(event) ?? code?.toString() ?? 'error',
    message,
    ...(status === null ? {} : { status }),
    frame,
    raw,
  }
}

/** What stands under `error`. Servers that always have the field write `""`, `false` or `{}` for none. */
export function errorIn(fields: Fields | null): unknown {
  const error = fields?.['error']
  if (!present(error) || error === '' || error === false) return undefined
  const object = record(error)
  return object !== null && Object.keys(object).length === 0 ? undefined : error
}

/** How the framing of AWS event streams names what the service reports as an exception, in place of an event's type. */
const exceptionPrefix = 'exception:'

/** The exception that an event's name tells of: `throttlingException`. `null` for any other event. */
export function exceptionName(event: string | undefined): string | null {
  return event?.startsWith(exceptionPrefix) ? word(event.slice(exceptionPrefix.length)) : null
}

/** Whether an event is an error by its name, whatever it holds. */
export function isErrorEvent(event: string | undefined): boolean {
  return event === 'error' || event?.startsWith(exceptionPrefix) === true
}

/**
 * An event or body that is nothing but an error, whole: `{"error": …}`, FastAPI's `{"detail": …}`, Cloudflare's list of `errors`,
 * MiniMax's `base_resp`, a message alone or with a code beside it, or whatever an event of an error's name holds. `undefined` where
 * it is none.
 */
export function errorBody(fields: Fields, event?: string): unknown {
  if (isErrorEvent(event) || errorIn(fields) !== undefined || wrapped(fields) !== null) return fields
  if (present(fields['detail']) || fields['success'] === false) return fields
  if (errorMessages.some((key) => word(fields[key]) !== null)) return fields
  if (text(fields['message']) === null) return undefined
  const labelled = labels.some((key) => present(fields[key]))
  const named = fields['object'] === 'error' || /error|exception/i.test(text(fields['type']) ?? '')
  return labelled || named || Object.keys(fields).length === 1 ? fields : undefined
}

/** What makes an error of a message that it stands beside. */
const labels = ['code', 'status', 'status_code', 'error_code', '__type', 'request_id', 'requestId'] as const

/** Names that only errors have for their message: AWS's services, Baidu, Azure's gateways. */
const errorMessages = ['Message', 'error_msg', 'error_message', 'errorMessage'] as const

/** How deep in a body its words are looked for. Real ones lie at most four deep. */
const deepest = 8

/** How much of a text that isn't understood goes into a message, in UTF-16 units. */
const longestStart = 500

/** The object that holds the error itself, then those that it is wrapped in. */
function layersOf(raw: unknown): readonly Fields[] {
  const layers: Fields[] = []
  for (let inner: unknown = raw; layers.length < deepest;) {
    const fields = record(list(inner)?.[0] ?? inner)
    if (fields === null) break
    layers.unshift(fields)
    inner = wrapped(fields)
  }
  return layers
}

/** What an error is wrapped in, under the names that servers and gateways have for it. */
function wrapped(fields: Fields): Fields | null {
  return (
    record(errorIn(fields)) ?? record(list(fields['errors'])?.[0]) ?? record(fields['fault']) ?? failedStatus(fields)
  )
}

/** MiniMax has a status in every answer: 0 says that all is well. */
function failedStatus(fields: Fields): Fields | null {
  const status = record(fields['base_resp'])
  return (number(status?.['status_code']) ?? 0) === 0 ? null : status
}

/**
 * Where servers put their words: `error.message` (OpenAI, Anthropic, Gemini, Groq, OpenRouter), `message` (Cohere, Bedrock, and
 * Mistral, whose own may be an object), `error` as a text (Ollama, Hugging Face; Spring has its message beside it), `detail` (FastAPI,
 * as a text or a list of `msg`), and what `wrapped` knows. `seen`: every place is looked at once, also in a fed object that leads back to
 * itself.
 */
function messageIn(value: unknown, depth: number, seen: Set<unknown>): string | null {
  if (typeof value === 'string') return word(plainText(value))
  if (depth > deepest || seen.has(value)) return null
  const look = (held: unknown): string | null => messageIn(held, depth + 1, seen)
  const items = list(value)
  const fields = record(value)
  if (items !== null || fields !== null) seen.add(value)
  if (items !== null) return word(items.flatMap((item) => look(item) ?? []).join('; '))
  if (fields === null) return null
  const { error, message, detail, errors, fault } = fields
  const first = text(error) === null ? [error, message] : [message, error]
  const rest = ['msg', 'status_msg', 'faultstring', 'title', ...errorMessages].map((key) => fields[key])
  const said = firstOf([...first, detail, errors, fault, failedStatus(fields), ...rest], look)
  return said === null ? null : said + originOf(fields, look)
}

/** The place that a message is about (FastAPI), or what the server behind a router said (OpenRouter's `metadata.raw`). */
function originOf({ metadata, loc }: Fields, look: (held: unknown) => string | null): string {
  const raw = record(metadata)?.['raw']
  const upstream = look(parsed(raw)) ?? word(raw)
  if (upstream !== null) return `: ${startOf(upstream)}`
  const place = list(loc)?.filter((step) => typeof step === 'string' || typeof step === 'number') ?? []
  return place.length === 0 ? '' : ` (${place.join('.')})`
}

/** JSON that was written into a text; anything else as it is. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    // A text is a message too.
    return value
  }
}

/** A page's text without its markup: proxies answer in HTML. Its tags end where the next one begins, so that the search is linear. */
function plainText(body: string): string {
  if (!/^\s*<(?:!doctype|html|head|body|\?xml)/i.test(body)) return body.trim()
  const title = /<title[^<>]*>([^<]*)/i.exec(body)?.[1]?.trim()
  return title
    ? title
    : body
        .replaceAll(/<[^<>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
}

/** The start of a text for a message, and a mark where it goes on. */
function startOf(body: string): string {
  return body.length <= longestStart ? body : `${excerpt(body, longestStart)}…`
}

/** `error` only says that it is one. */
function codeOf(fields: Fields): string | number | null {
  const named = ['code', 'type', 'error_type', 'status', '__type'].map((key) => word(fields[key]))
  const counted = ['code', 'status', 'error_code', 'status_code'].map((key) => number(fields[key]))
  return firstOf([...named, ...counted], (code) => (code === 'error' ? null : code))
}

function httpStatus(fields: Fields): number | null {
  return firstOf(['status', 'status_code', 'code', 'http_status'], (key) => {
    // Some write the status as text: "code": "429".
    const value = number(fields[key]) ?? number(Number(word(fields[key]) ?? undefined))
    return value !== null && Number.isInteger(value) && value >= 100 && value <= 599 ? value : null
  })
}

/** The first answer that there is. */
function firstOf<In, Out>(items: readonly In[], read: (item: In) => Out | null): Out | null {
  for (const item of items) {
    const found = read(item)
    if (found !== null) return found
  }
  return null
}

/** Something to show for an error without a message. */
function asText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // A cycle or a bigint in a fed object, or nesting beyond the stack, which would break String(value) as well.
    return 'The server sent an error without a message.'
  }
}
