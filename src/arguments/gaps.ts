// What may stand between two tokens of an object: white space of every kind, and comments.

import { asterisk, backslash, lineFeed, slash, isEscapedSpace, isForeignSpace, skipSpace } from './characters.ts'
import type { Notes } from './notes.ts'

/** What `skipGap` gives where a comment ran to the end of the text. */
export const openComment = -1

/** Where the next token begins, or the text ends. `expected` says what is missing there, for a comment or space that must not be. */
export function skipGap(text: string, start: number, expected: string, notes: Notes): number {
  let at = start
  for (;;) {
    at = skipSpace(text, at)
    const code = text.charCodeAt(at)
    if (code === backslash && isEscapedSpace(text, at)) {
      notes.repair('escaped-whitespace', at, at + 2, expected)
      notes.edit(at, at + 2, ' ')
      at += 2
    } else if (isForeignSpace(code)) {
      notes.repair('unicode-whitespace', at, at + 1, expected)
      notes.edit(at, at + 1, ' ')
      at++
    } else if (isCommentStart(text, at)) {
      const end = commentEnd(text, at)
      notes.repair('comments', at, end ?? text.length, expected)
      if (end === undefined) return openComment
      notes.edit(at, end, '')
      at = end
    } else return at
  }
}

export function isCommentStart(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== slash) return false
  const next = text.charCodeAt(at + 1)
  return next === slash || next === asterisk
}

/** Nothing where the text ends first. A line comment leaves the line break out. */
function commentEnd(text: string, start: number): number | undefined {
  const isBlock = text.charCodeAt(start + 1) === asterisk
  const end = isBlock ? text.indexOf('*/', start + 2) : text.indexOf(String.fromCharCode(lineFeed), start + 2)
  if (end < 0) return undefined
  return isBlock ? end + 2 : end
}
