// The error that a failed HTTP response turns into: what the server said, and what is known to help.

import { serverWords } from '../formats/errors.ts'
import { hintFor } from './http-hints.ts'
import { toBytes, type ResponseHead, type SourceReader } from './sources.ts'

/** Errors are told by this mark and not by their class, so that two copies of the library know each other's. */
const brand: unique symbol = Symbol.for('tool-call-assembler.http-error')

/** How much of an error's body is read, in bytes. What follows is cancelled. */
const maxBodyBytes = 64 * 1024

/** Thrown by `assemble` for a response that is not 2xx, by the first `next()` and by `result()`. Nothing was assembled. */
export class HttpError extends Error {
  override readonly name = 'HttpError' as const
  readonly status: number
  /** Where the request went, without its query; `''` where that isn't known. */
  readonly url: string
  /** The server's own words; where it sent none that are understood, the start of its body. */
  readonly serverMessage: string
  /** The server's own code or type, such as `rate_limit_error`. */
  readonly code: string | undefined
  /** What is known to help, in a sentence. */
  readonly hint: string | undefined
  /** The `retry-after` header, in seconds, where the server sent it as a number. */
  readonly retryAfter: number | undefined
  /** The body as text, at most its first 64 KiB. */
  readonly body: string

  constructor(head: ResponseHead, body: string) {
    // A server that was about to stream may wrap its error in an event.
    const { message: serverMessage, code } = serverWords(body.trim().replace(/^(?:event:.*\r?\n)?data:\s*/, ''))
    const hint = hintFor({ status: head.status, message: serverMessage, url: head.url })
    const place = head.url === '' ? '' : ` from ${head.url}`
    super(`HTTP ${head.status}${place}: ${[serverMessage || 'no message', hint].filter(Boolean).join(' | ')}`)
    Object.defineProperty(this, brand, { value: true })
    this.status = head.status
    this.url = head.url
    this.serverMessage = serverMessage
    // A number that counts says no more than the status does.
    this.code = typeof code === 'string' ? code : undefined
    this.hint = hint
    this.retryAfter = readRetryAfter(head)
    this.body = body
  }

  static is(value: unknown): value is HttpError {
    return typeof value === 'object' && value !== null && brand in value
  }
}

export function isFailedResponse(head: ResponseHead | undefined): head is ResponseHead {
  return head !== undefined && (head.status < 200 || head.status > 299)
}

/**
 * Reads what a failed response says, as far as it goes: a body that breaks off has still said something. `ended`: the source has
 * no more; else it is to be cancelled.
 */
export async function readHttpError(
  source: SourceReader,
  head: ResponseHead,
): Promise<{ readonly error: HttpError; readonly ended: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  let ended = false
  try {
    for (let left = maxBodyBytes; left > 0;) {
      const { done, value } = await source.read()
      if (done === true) {
        ended = true
        break
      }
      const piece =
        typeof value === 'object' && value !== null ? (toBytes(value) ?? JSON.stringify(value)) : String(value)
      const part = piece.slice(0, left)
      left -= part.length
      text += typeof part === 'string' ? part : decoder.decode(part, { stream: true })
    }
  } catch {
    // The status is the news; a body that can't be read to its end only makes the message shorter.
    ended = true
  }
  return { error: new HttpError(head, text + decoder.decode()), ended }
}

function readRetryAfter(head: ResponseHead): number | undefined {
  const header = head.header('retry-after')
  return header !== null && /^\d+(?:\.\d+)?$/.test(header.trim()) ? Number(header) : undefined
}
