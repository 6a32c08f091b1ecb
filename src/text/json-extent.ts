// Finds where a JSON value ends, without judging it: strings and brackets decide, whatever else stands between them. The verdict
// parses the text later; here only its borders matter, so that a tag inside a string is data.

import {
  apostrophe,
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quotationMark,
  isSpace,
} from '../arguments/characters.ts'
import { lessThan, semicolon } from './characters.ts'

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
  if (first === openBrace || first === openBracket) return 'container'
  return first === quotationMark || first === apostrophe ? 'string' : 'literal'
}

/** What stands behind a value: the rest of a container, the separator of two calls, or a tag. */
function endsLiteral(code: number): boolean {
  switch (code) {
    case comma:
    case closeBrace:
    case closeBracket:
    case semicolon:
    case lessThan:
      return true
    default:
      return isSpace(code)
  }
}

/** Takes one character outside of strings. */
function readStructure(extent: Extent, code: number): void {
  switch (code) {
    case quotationMark:
      extent.quote = code
      extent.expectant = false
      break
    case apostrophe:
      if (extent.expectant) extent.quote = code
      extent.expectant = false
      break
    case openBrace:
    case openBracket:
      extent.depth++
      extent.expectant = true
      break
    case closeBrace:
    case closeBracket:
      extent.depth--
      extent.expectant = false
      extent.done = extent.depth === 0
      break
    case comma:
    case colon:
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
    else if (code === backslash) extent.escaped = true
    else if (code === extent.quote) {
      extent.quote = 0
      extent.done = extent.kind === 'string'
      return i + 1
    }
  }
  return i
}
