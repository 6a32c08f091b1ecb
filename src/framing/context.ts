// What the framings of one stream share: the limit, the count of events, and what the decoder found.

/** What the stages that turn bytes into frames share for one stream. */
export interface FramingContext {
  readonly maxEventBytes: number
  /** Events so far. Every stage that takes an event off the wire adds one and numbers it with the sum. */
  readonly frames: { count: number }
  /** Whether bytes came that are not UTF-8. Set by the decoder, never cleared. Until then nobody looks for their marks. */
  readonly bytes: { invalid: boolean }
}
