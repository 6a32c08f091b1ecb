// Errors as servers write them into streams and bodies, in the dozen shapes that they have for it.
import type { StreamError } from '../model/events.ts'
import { number, present, record, text, word, type Fields } from './fields.ts'

/**
 * The error that `raw` describes: a text, or an object with some of `message`, `code`, `type`, `status`, possibly wrapped once more
 * in `error`. All of it is kept in `raw`.
 */
export function serverError(raw: unknown, frame: number): StreamError {
  const whole = record(raw)
  const fields = record(whole?.['error']) ?? whole
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

/**
 * The error in an object that is no event of any stream: `{"error": …}`, FastAPI's `{"detail": …}`, or a message with a code beside
 * it. `undefined` where it says none.
 */
export function errorBody(value: object): unknown {
  const fields = record(value)
  if (fields === null) return undefined
  if (present(fields['error'])) return fields
  if (present(fields['detail'])) return fields
  const labelled = present(fields['code']) || present(fields['status']) || fields['object'] === 'error' || fields['type'] === 'error'
  return labelled && text(fields['message']) !== null ? fields : undefined
}

function messageOf(fields: Fields): string {
  return word(fields['message']) ?? word(fields['error']) ?? word(fields['detail']) ?? asText(fields)
}

function codeOf(fields: Fields): string {
  const named = word(fields['code']) ?? word(fields['type']) ?? word(fields['status'])
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
    return String(value)
  }
}
