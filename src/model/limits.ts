// Bounds on what one stream may hold.

/** Bounds on what one stream may hold. They count bytes (UTF-8), calls and depth, never fragments. */
export interface Limits {
  /** The longest single event, line or body. Default 16 MiB. A longer one is skipped: an `over-limit` error, and open calls are damaged. */
  readonly maxEventBytes: number
  /** The longest arguments of one call. Default 16 MiB. A longer call is refused as `over-limit`; the others are untouched. */
  readonly maxArgumentBytes: number
  /** All arguments of a turn together. Default 64 MiB. The call that crosses it, and what comes after, is refused as `over-limit`. */
  readonly maxTotalArgumentBytes: number
  /** Calls in one turn. Default 128. Further calls are not opened; one `over-limit` error says so. */
  readonly maxCalls: number
  /** Nesting of objects and arrays in the arguments. Default 128, which is where common server-side parsers stop. */
  readonly maxDepth: number
}

export const defaultLimits: Limits = Object.freeze({
  maxEventBytes: 16 * 1024 * 1024,
  maxArgumentBytes: 16 * 1024 * 1024,
  maxTotalArgumentBytes: 64 * 1024 * 1024,
  maxCalls: 128,
  maxDepth: 128,
})
