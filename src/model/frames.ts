// What the framing finds in the bytes, before anybody looks for JSON in it.

/** What the framing found in the bytes, in order. */
export type Frame = EventFrame | FramingFault

/** One event: an SSE event's data, an NDJSON line, one element of a JSON array, a whole JSON body, or an AWS message's payload. */
export interface EventFrame {
  readonly kind: 'event'
  /** From 1, counting every event of the stream, faults included. */
  readonly number: number
  /** The SSE `event:` field or the AWS `:event-type`; absent where the framing has none. */
  readonly event?: string
  readonly data: string
  /** Some of its bytes were not UTF-8: what stands as U+FFFD in `data` was something else. */
  readonly invalid?: true
  /** False for a last event that the stream broke off in or left without its terminator. */
  readonly terminated: boolean
}

/** What the framing itself could not read as an event. */
export interface FramingFault {
  readonly kind: 'fault'
  readonly number: number
  /**
   * `not-a-stream`: the body is HTML or prose. `error-line`: an SSE line `error: …`, which llama.cpp writes.
   * `unknown-line`: a line that is no field of the standard, or several that follow each other. `over-limit`: an event longer than `maxEventBytes`, skipped.
   * `corrupt`: a binary message whose checksum or shape is wrong.
   */
  readonly fault: 'not-a-stream' | 'error-line' | 'unknown-line' | 'over-limit' | 'corrupt'
  /** The text in question; for `not-a-stream` and `over-limit` its start, at most 2,000 characters. */
  readonly data: string
}

/** A raw event as `onFrame` sees it, before anything else looks at it. */
export interface RawFrame {
  readonly number: number
  readonly event?: string
  readonly data: string
}
