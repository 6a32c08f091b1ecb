// The error that a failed HTTP response turns into: what the server said, and what is known to help.

import { excerpt } from '../arguments/excerpt.ts'
import { isRecord } from '../arguments/json.ts'
import { hintFor } from './http-hints.ts'
import { toBytes, type ResponseHead, type SourceReader } from './sources.ts'

/** Errors are told by this mark and not by their class, so that two copies of the library know each other's. */
const brand: unique symbol = Symbol.for('tool-call-assembler.http-error')

/** How much of an error's body is read, in bytes. What follows is cancelled. */
const maxBodyBytes = 64 * 1024
/** How much of a body that isn't understood goes into the message, in UTF-16 units. */
const maxMessage = 500

/** How deep in a body its message is looked for. Real ones lie at most four deep. */
const maxErrorDepth = 8

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
    const said = readServerError(body)
    const serverMessage = said?.message ?? startOf(plainText(body))
    const hint = hintFor({ status: head.status, message: serverMessage, url: head.url })
    const place = head.url === '' ? '' : ` from ${head.url}`
    super(`HTTP ${head.status}${place}: ${[serverMessage || 'no message', hint].filter(Boolean).join(' | ')}`)
    Object.defineProperty(this, brand, { value: true })
    this.status = head.status
    this.url = head.url
    this.serverMessage = serverMessage
    this.code = said?.code
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

interface ServerError {
  readonly message: string
  readonly code: string | undefined
}

function readServerError(body: string): ServerError | undefined {
  // A server that was about to stream may wrap its error in an event.
  const text = body.trim().replace(/^(?:event:.*\r?\n)?data:\s*/, '')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const message = messageIn(value)
  return message === undefined ? undefined : { message, code: codeIn(value) }
}

/**
 * Where servers put their words: `error.message` (OpenAI, Anthropic, Gemini, Groq, OpenRouter, which keeps the provider's own under
 * `metadata.raw`), `error` (Ollama, Hugging Face), `message` (Cohere, Bedrock, Mistral), `detail` (FastAPI, as a text or a list of
 * `msg`), a list of any of these (Gemini, Cloudflare).
 */
function messageIn(value: unknown, depth = 0): string | undefined {
  if (depth > maxErrorDepth) return undefined
  if (typeof value === 'string') return value === '' ? undefined : value
  if (Array.isArray(value)) {
    const messages = value.map((item) => messageIn(item, depth + 1)).filter((message) => message !== undefined)
    return messages.length === 0 ? undefined : messages.join('; ')
  }
  if (!isRecord(value)) return undefined
  for (const key of ['error', 'message', 'Message', 'detail', 'msg', 'errors', 'error_message', 'title']) {
    const message = messageIn(value[key], depth + 1)
    if (message !== undefined) return withOrigin(message, value)
  }
  return undefined
}

/** The message with the place that it is about, or with what the server behind a router said. */
function withOrigin(message: string, { metadata, loc }: { readonly [key: string]: unknown }): string {
  const raw = isRecord(metadata) ? metadata['raw'] : undefined
  const upstream = typeof raw === 'string' ? (readServerError(raw)?.message ?? startOf(raw)) : ''
  const place = Array.isArray(loc) ? ` (${loc.join('.')})` : ''
  return upstream === '' ? message + place : `${message}: ${upstream}`
}

function codeIn(value: unknown, depth = 0): string | undefined {
  const holder = Array.isArray(value) ? value[0] : value
  if (!isRecord(holder) || depth > maxErrorDepth) return undefined
  if (isRecord(holder['error'])) return codeIn(holder['error'], depth + 1)
  // A status says more than a code that only repeats the HTTP status as a number.
  for (const key of ['code', 'status', 'type', 'error_type', '__type']) {
    const code = holder[key]
    if (typeof code === 'string' && code !== '' && code !== 'error') return code
  }
  return undefined
}

function readRetryAfter(head: ResponseHead): number | undefined {
  const header = head.header('retry-after')
  return header !== null && /^\d+(?:\.\d+)?$/.test(header.trim()) ? Number(header) : undefined
}

/** A page's text without its markup: proxies answer in HTML. */
function plainText(body: string): string {
  if (!/^\s*<(?:!doctype|html|head|body|\?xml)/i.test(body)) return body.trim()
  const title = /<title[^>]*>([^<]*)/i.exec(body)?.[1]?.trim()
  return title
    ? title
    : body
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
}

function startOf(text: string): string {
  return text.length <= maxMessage ? text : `${excerpt(text, maxMessage)}…`
}
