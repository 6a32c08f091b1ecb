// The inside of a JSON string literal: where it ends, and what it says; and strings as memory.

import { escapedLetters } from '../arguments/escapes.ts'

const quote = 0x22
const backslash = 0x5c

/** Strings longer than this are searched by `indexOf`, which is faster from here on than a loop over the characters. */
const loopLength = 48

/**
 * The position of the quote that closes the literal whose inside begins at `start`. `text.length` where it doesn't end within
 * the text; -1 where what stands there is no valid string: a control character, an unknown escape.
 */
export function stringEnd(text: string, start: number): number {
  const near = Math.min(start + loopLength, text.length)
  for (let at = start; at < near; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) return at
    if (unit < 0x20) return -1
    if (unit === backslash) return escapedEnd(text, at)
  }
  return near === text.length ? near : escapedEnd(text, near)
}

/** No valid escape or end lies before `from`; from there on, jump from one quote or backslash to the next. */
function escapedEnd(text: string, from: number): number {
  special.lastIndex = from
  for (let found = special.exec(text); found; found = special.exec(text)) {
    const at = found.index
    const unit = text.charCodeAt(at)
    if (unit === quote) return at
    if (unit !== backslash) return -1
    const end = escapeEnd(text, at)
    if (end < 0) return -1
    if (end > text.length) return text.length
    special.lastIndex = end
  }
  return text.length
}

/** A quote, a backslash or a control character. `lastIndex` is set before each use. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const special = /["\\\u0000-\u001f]/g

/** Behind the escape at `at`; beyond the text where it is cut off; -1 where there is no such escape. */
function escapeEnd(text: string, at: number): number {
  if (at + 1 >= text.length) return text.length + 1
  const unit = text.charCodeAt(at + 1)
  if (unit !== 0x75) return simpleEscapes.has(unit) ? at + 2 : -1
  for (let digit = at + 2; digit < at + 6; digit++) {
    if (digit >= text.length) return text.length + 1
    if (!isHex(text.charCodeAt(digit))) return -1
  }
  return at + 6
}

function isHex(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66)
}

/** By the code of the letter, which is at hand where they are looked up. */
const simpleEscapes: ReadonlyMap<number, string> = new Map(
  [...escapedLetters].map(([letter, decoded]) => [letter.charCodeAt(0), decoded]),
)

/** Decodes the valid inside of a literal. Half a surrogate pair stays half: whoever joins the fragments joins the pair. */
export function decodeString(body: string): string {
  let at = body.indexOf('\\')
  if (at < 0) return body
  let decoded = ''
  let from = 0
  while (at >= 0) {
    decoded += body.slice(from, at)
    const unit = body.charCodeAt(at + 1)
    if (unit === 0x75) {
      decoded += String.fromCharCode(Number.parseInt(body.slice(at + 2, at + 6), 16))
      from = at + 6
    } else {
      decoded += simpleEscapes.get(unit) ?? ''
      from = at + 2
    }
    at = body.indexOf('\\', from)
  }
  return decoded + body.slice(from)
}

/**
 * The same text in memory of its own. In V8 a slice keeps alive what it was cut from, which for a few characters can be a whole
 * chunk; joining makes a new string, and the slice is of that one.
 */
export function ownCopy(text: string): string {
  return ` ${text}`.slice(1)
}
