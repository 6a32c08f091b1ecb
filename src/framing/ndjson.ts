// Newline-delimited JSON: text to frames, a line each. Knows no JSON: whether a line parses is its reader's business.

import type { Frame } from '../model/frames.ts'
import type { FramingContext } from './context.ts'
import type { Stage } from '../model/stage.ts'
import { isLonger, quote } from './measure.ts'
import { eventFrame, faultFrame } from './frame.ts'
import { append, emptyTail, take, tailExceeds, type Tail } from './tail.ts'

interface NdjsonState {
  /** The line in progress. */
  tail: Tail
  /** Whether `tail` ends in CR: half a line end, perhaps. */
  afterReturn: boolean
  /** Whether the line in progress was over the limit and is dropped up to its end. */
  skipping: boolean
}

/**
 * Reads lines that end in LF or CRLF. Lines of white space are no frames. A last line without its end is read at the end,
 * `terminated: false`. A line's size does not count its end.
 */
export function ndjson(context: FramingContext): Stage<string, Frame> {
  return (next) => {
    const state: NdjsonState = { tail: emptyTail(), afterReturn: false, skipping: false }

    function readLine(text: string, terminated: boolean): void {
      const line = text.endsWith('\r') ? text.slice(0, -1) : text
      if (isLonger(line, context.maxEventBytes)) skip(line)
      else if (line.trim() !== '') next.push(eventFrame(context, line, terminated))
    }

    /** The line whose last piece this is, joined once. */
    function finish(piece: string): string {
      if (state.tail.units === 0) return piece
      append(state.tail, piece)
      return take(state.tail)
    }

    function skip(line: string): void {
      next.push(faultFrame(context, 'over-limit', quote(line, context.maxEventBytes)))
    }

    function readRest(text: string): void {
      append(state.tail, text)
      state.afterReturn = text.endsWith('\r')
      if (!tailExceeds(state.tail, context.maxEventBytes + (state.afterReturn ? 1 : 0))) return
      skip(take(state.tail))
      state.skipping = true
    }

    return {
      push(text) {
        let at = 0
        for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
          if (!state.skipping) readLine(finish(text.slice(at, end)), true)
          state.skipping = false
          at = end + 1
        }
        if (at < text.length && !state.skipping) readRest(at === 0 ? text : text.slice(at))
      },
      end() {
        if (state.tail.units > 0) readLine(take(state.tail), false)
        next.end()
      },
    }
  }
}
