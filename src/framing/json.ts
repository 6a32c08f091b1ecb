// Whole JSON bodies: text to frames, one for each object of the body, or for each element of an array as it completes.

import type { Frame } from '../model/frames.ts'
import type { FramingContext } from './context.ts'
import type { Stage } from '../model/stage.ts'
import { isLonger, quote } from './measure.ts'
import { eventFrame, faultFrame } from './frame.ts'
import { append, emptyTail, take, tailExceeds, type Tail } from './tail.ts'

interface JsonState {
  /** Whether an array at the top is open: then a value's neighbours are commas, else they are other values. */
  inArray: boolean
  /** The value in progress: none, one in brackets, or a scalar or whatever else is no container. */
  value: 'none' | 'container' | 'bare'
  /** Brackets open in the value in progress. */
  depth: number
  inString: boolean
  /** Whether the last character was a backslash in a string that is not itself escaped. */
  escaped: boolean
  /** The value in progress, as far as it came in earlier chunks. */
  tail: Tail
  /** Whether the value in progress was over the limit and is dropped up to its end. */
  skipping: boolean
}

/**
 * Finds where values end by counting brackets outside strings; whether a value parses is its reader's business. A value that the
 * body breaks off in is a frame `terminated: false`. Text that is no value at all is a frame too, up to its line's end or the next value.
 */
export function json(context: FramingContext): Stage<string, Frame> {
  return (next) => {
    const state: JsonState = {
      inArray: false,
      value: 'none',
      depth: 0,
      inString: false,
      escaped: false,
      tail: emptyTail(),
      skipping: false,
    }

    function finish(rest: string, terminated: boolean): void {
      const text = take(state.tail) + rest
      if (!state.skipping) {
        if (isLonger(text, context.maxEventBytes)) skip(text)
        else next.push(eventFrame(context, state.value === 'bare' ? text.trimEnd() : text, terminated))
      }
      state.value = 'none'
      state.depth = 0
      state.inString = false
      state.escaped = false
      state.skipping = false
    }

    function skip(text: string): void {
      next.push(faultFrame(context, 'over-limit', quote(text, context.maxEventBytes)))
    }

    function keep(text: string): void {
      if (state.skipping) return
      append(state.tail, text)
      if (!tailExceeds(state.tail, context.maxEventBytes)) return
      skip(take(state.tail))
      state.skipping = true
    }

    /** Between values. Returns whether a value begins with this character. */
    function begins(unit: number): boolean {
      if (isSpace(unit)) return false
      if (state.inArray ? unit === comma : unit === openBracket) {
        state.inArray = true
        return false
      }
      if (state.inArray && unit === closeBracket) {
        state.inArray = false
        return false
      }
      state.value = unit === openBrace || unit === openBracket ? 'container' : 'bare'
      return true
    }

    /** Inside a value, string-aware. Returns whether the value ends with this character (container) or before it (bare). */
    function ends(unit: number): boolean {
      if (state.inString) {
        if (state.escaped) state.escaped = false
        else if (unit === backslash) state.escaped = true
        else if (unit === quotationMark) state.inString = false
        return false
      }
      if (state.value === 'bare') {
        if (state.inArray ? unit === comma || unit === closeBracket : unit === lineFeed || unit === openBracket)
          return true
        if (unit === openBrace) return true
        state.inString = state.inArray && unit === quotationMark
        return false
      }
      if (unit === quotationMark) state.inString = true
      else if (unit === openBrace || unit === openBracket) state.depth++
      else if (unit === closeBrace || unit === closeBracket) return --state.depth === 0
      return false
    }

    return {
      push(text) {
        let start = 0
        for (let at = 0; at < text.length; at++) {
          const unit = text.charCodeAt(at)
          if (state.value === 'none') {
            if (!begins(unit)) continue
            start = at
          }
          if (!ends(unit)) continue
          if (state.value === 'container') finish(text.slice(start, at + 1), true)
          else finish(text.slice(start, at--), true)
        }
        if (state.value !== 'none' && start < text.length) keep(text.slice(start))
      },
      end() {
        if (state.value !== 'none') finish('', false)
        next.end()
      },
    }
  }
}

const lineFeed = 0x0a
const quotationMark = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** White space of JSON (RFC 8259, section 2). */
function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === lineFeed || unit === 0x0d || unit === 0x09
}
