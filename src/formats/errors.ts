// Errors as servers write them into streams and bodies, in the dozen shapes that they have for it.
import type { StreamError } from '../model/events.ts'
import { number, present, record, text, word, type Fields } from './fields.ts'

/**
 * The error that `raw` describes: a text, or an object with some of `message`, `code`, `type`, `status`, possibly wrapped once more
 * in `error`. All of it is kept in `raw`.
 */
export function serverError(raw: unknown, frame: number): StreamError {
  const whole = record(raw)
  const fields = record(errorIn(whole)) ?? whole
  if (fields === null) return { code: 'error', message: text(raw) ?? asText(raw), frame, raw }
  const status = httpStatus(fields) ?? (whole === null ? null : httpStatus(whole))
  return {
    code: codeOf(fields),
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

/**
 * An event or body that is nothing but an error, whole: `{"error": …}`, FastAPI's `{"detail": …}`, a message alone or with a code
 * beside it, or whatever an SSE event of the name `error` holds. `undefined` where it is none.
 */
export function errorBody(fields: Fields, event?: string): unknown {
  if (event === 'error' || errorIn(fields) !== undefined || present(fields['detail'])) return fields
  if (text(fields['message']) === null) return undefined
  const labelled = ['code', 'status', 'status_code'].some((key) => present(fields[key]))
  const named = fields['object'] === 'error' || fields['type'] === 'error'
  return labelled || named || Object.keys(fields).length === 1 ? fields : undefined
}

function messageOf(fields: Fields): string {
  return word(fields['message']) ?? word(fields['error']) ?? word(fields['detail']) ?? asText(fields)
}

function codeOf(fields: Fields): string {
  const named = ['code', 'type', 'error_type', 'status'].map((key) => word(fields[key])).find((name) => name !== null)
  return named ?? String(number(fields['code']) ?? number(fields['status']) ?? 'error')
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
