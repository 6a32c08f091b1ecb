/**
 * Finds where a JSON value ends, without judging it: strings and brackets decide, whatever else stands between them. The verdict
 * parses the text later; here only its borders matter, so that a tag inside a string is data.
 */
import { isSpace } from './literals.ts'

export interface Extent {
  kind: 'none' | 'container' | 'string' | 'literal'
  depth: number
  /** The code of the quote that closes the open string; 0 outside strings. */
  quote: number
  /** Whether the last character was a backslash inside a string. */
  escaped: boolean
  /** Whether a key or a value may begin here: only there does an apostrophe open a string. */
  expectant: boolean
  done: boolean
}

export function createExtent(): Extent {
  return { kind: 'none', depth: 0, quote: 0, escaped: false, expectant: true, done: false }
}

const quotation = 34
const apostrophe = 39
const backslash = 92

/** Reads on from `i`; returns the index up to which the value goes in this text, and sets `done` where it ends there. */
export function readExtent(extent: Extent, text: string, i: number): number {
  if (extent.kind === 'none' && i < text.length) begin(extent, text.charCodeAt(i))
  while (i < text.length) {
    if (extent.quote !== 0) {
      i = readString(extent, text, i)
      if (extent.quote === 0 && extent.kind === 'string') {
        extent.done = true
        return i
      }
      continue
    }
    const code = text.charCodeAt(i)
    if (
      extent.kind === 'literal' &&
      (code === 44 || code === 125 || code === 93 || code === 59 || code === 60 || isSpace(code))
    ) {
      extent.done = true
      return i
    }
    i++
    if (code === quotation || (code === apostrophe && extent.expectant)) {
      extent.quote = code
      extent.expectant = false
    } else if (code === 123 || code === 91) {
      extent.depth++
      extent.expectant = true
    } else if (code === 125 || code === 93) {
      extent.depth--
      extent.expectant = false
      if (extent.depth === 0) {
        extent.done = true
        return i
      }
    } else if (code === 44 || code === 58) {
      extent.expectant = true
    } else if (!isSpace(code)) {
      extent.expectant = false
    }
  }
  return i
}

function begin(extent: Extent, code: number): void {
  extent.kind =
    code === 123 || code === 91 ? 'container' : code === quotation || code === apostrophe ? 'string' : 'literal'
}

function readString(extent: Extent, text: string, i: number): number {
  for (; i < text.length; i++) {
    if (extent.escaped) {
      extent.escaped = false
      continue
    }
    const code = text.charCodeAt(i)
    if (code === backslash) extent.escaped = true
    else if (code === extent.quote) {
      extent.quote = 0
      return i + 1
    }
  }
  return i
}
