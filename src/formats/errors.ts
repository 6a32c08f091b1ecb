// Errors as servers write them into streams and bodies, in the dozen shapes that they have for it.

import type { StreamError } from '../model/events.ts'
import { list, number, present, record, text, word, type Fields } from './fields.ts'
import type { ParsedMessage } from './source.ts'

/**
 * The error that `raw` describes: a text, or an object with some of `message`, `code`, `type`, `status`, possibly wrapped once more
 * in `error` and the like. All of it is kept in `raw`. `event` is the name of the event that brought it: that of an exception is its
 * code.
 */
export function serverError(raw: unknown, frame: number, event?: string): StreamError {
  const whole = record(raw)
  const fields = whole === null ? null : (wrapped(whole) ?? whole)
  const exception = exceptionName(event)
  if (fields === null) return { code: exception ?? 'error', message: text(raw) ?? asText(raw), frame, raw }
  const status = httpStatus(fields) ?? (whole === null ? null : httpStatus(whole))
  return {
    code: exception ?? codeOf(fields),
    message: messageOf(fields),
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

/** A body that is no error and no answer either, by the name of what it lacks: `no-choices`, `no-message`. */
export function emptyBody(lacking: string, { frame, value }: Pick<ParsedMessage, 'frame' | 'value'>): StreamError {
  return {
    code: `no-${lacking}`,
    message: `The response has no ${lacking}, so there is no answer in it.`,
    frame,
    raw: value,
  }
}

/** What makes an error of a message that it stands beside. */
const labels = ['code', 'status', 'status_code', 'error_code', '__type', 'request_id', 'requestId'] as const

/** Names that only errors have for their message: AWS's services, Baidu, Azure's gateways. */
const errorMessages = ['Message', 'error_msg', 'error_message', 'errorMessage'] as const

/** The object that an error is wrapped in, under the names that servers and gateways have for it. */
function wrapped(fields: Fields): Fields | null {
  const listed = list(fields['errors'])
  // MiniMax has a status in every answer: 0 says that all is well.
  const status = record(fields['base_resp'])
  const failed = (number(status?.['status_code']) ?? 0) !== 0 ? status : null
  return record(errorIn(fields)) ?? record(listed?.[0]) ?? record(fields['fault']) ?? failed
}

function messageOf(fields: Fields): string {
  const names = ['message', 'error', 'detail', ...errorMessages, 'status_msg', 'faultstring'] as const
  return names.map((name) => word(fields[name])).find((said) => said !== null) ?? asText(fields)
}

function codeOf(fields: Fields): string {
  const named = ['code', 'type', 'error_type', 'status', '__type'].map((key) => word(fields[key]))
  const counted = ['code', 'status', 'error_code', 'status_code'].map((key) => number(fields[key]))
  return [...named, ...counted].find((code) => code !== null)?.toString() ?? 'error'
}

function httpStatus(fields: Fields): number | null {
  for (const key of ['status', 'status_code', 'code', 'http_status']) {
    // Some write the status as text: "code": "429".
    const value = number(fields[key]) ?? number(Number(word(fields[key]) ?? undefined))
    if (value !== null && Number.isInteger(value) && value >= 100 && value <= 599) return value
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
