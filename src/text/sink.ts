// Where the scanner puts what it reads.

import type { BookedDelta } from '../model/booked.ts'

/** Every character of the input goes through exactly one of the first three, in order. */
export interface Sink {
  text(raw: string): void
  reasoning(raw: string): void
  /** Markup and calls: what is handed on as deltas, or means nothing. */
  block(raw: string): void
  delta(delta: BookedDelta): void
}

/** The same without the first `length` characters of the input, which were the prompt's. */
export function withoutPrefix(sink: Sink, length: number): Sink {
  let left = length
  const rest = (raw: string): string => {
    const taken = Math.min(left, raw.length)
    left -= taken
    return taken === 0 ? raw : raw.slice(taken)
  }
  const pass = (to: 'text' | 'reasoning' | 'block', raw: string): void => {
    const kept = rest(raw)
    if (kept !== '') sink[to](kept)
  }
  return {
    text: (raw) => pass('text', raw),
    reasoning: (raw) => pass('reasoning', raw),
    block: (raw) => pass('block', raw),
    delta: (delta) => sink.delta(delta),
  }
}
