// Finds where a JSON value ends, without judging it: strings and brackets decide, whatever else stands between them. The verdict
// parses the text later; here only its borders matter, so that a tag inside a string is data.

import {
  APOSTROPHE,
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  isSpace,
} from '../arguments/characters.ts'
import { LESS_THAN, SEMICOLON } from './characters.ts'

export interface Extent {
  /** What the value is. Set by its first character. */
  kind: 'none' | 'container' | 'string' | 'literal'
  /** Brackets that are open. */
  depth: number
  /** The code unit of the quote that closes the open string; 0 outside strings. */
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

/** Reads on from `i`; returns the index up to which the value goes in this text, and sets `done` where it ends there. */
export function readExtent(extent: Extent, text: string, i: number): number {
  if (extent.kind === 'none' && i < text.length) extent.kind = kindOf(text.charCodeAt(i))
  while (i < text.length && !extent.done) {
    if (extent.quote !== 0) i = readString(extent, text, i)
    else if (extent.kind === 'literal' && endsLiteral(text.charCodeAt(i))) extent.done = true
    else readStructure(extent, text.charCodeAt(i++))
  }
  return i
}

function kindOf(first: number): Extent['kind'] {
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return 'container'
  return first === QUOTE || first === APOSTROPHE ? 'string' : 'literal'
}

/** What stands behind a value: the rest of a container, the separator of two calls, or a tag. */
function endsLiteral(code: number): boolean {
  switch (code) {
    case COMMA:
    case CLOSE_BRACE:
    case CLOSE_BRACKET:
    case SEMICOLON:
    case LESS_THAN:
      return true
    default:
      return isSpace(code)
  }
}

/** Takes one character outside of strings. */
function readStructure(extent: Extent, code: number): void {
  switch (code) {
    case QUOTE:
      extent.quote = code
      extent.expectant = false
      break
    case APOSTROPHE:
      if (extent.expectant) extent.quote = code
      extent.expectant = false
      break
    case OPEN_BRACE:
    case OPEN_BRACKET:
      extent.depth++
      extent.expectant = true
      break
    case CLOSE_BRACE:
    case CLOSE_BRACKET:
      extent.depth--
      extent.expectant = false
      extent.done = extent.depth === 0
      break
    case COMMA:
    case COLON:
      extent.expectant = true
      break
    default:
      if (!isSpace(code)) extent.expectant = false
  }
}

/** Reads on in the open string, to behind its closing quote if that is in this text. */
function readString(extent: Extent, text: string, i: number): number {
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (extent.escaped) extent.escaped = false
    else if (code === BACKSLASH) extent.escaped = true
    else if (code === extent.quote) {
      extent.quote = 0
      extent.done = extent.kind === 'string'
      return i + 1
    }
  }
  return i
}
