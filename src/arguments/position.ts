// Where something is, as people and editors count.

import { carriageReturn, lineFeed, isHighSurrogate, isLowSurrogate } from './characters.ts'
import type { Position } from '../model/failures.ts'

/** Lines end with LF, CR LF or a lone CR. An offset inside a surrogate pair belongs to the pair's column. */
export function positionAt(text: string, offset: number): Position {
  let line = 1
  let column = 1
  for (let at = 0; at < offset; at++) {
    const code = text.charCodeAt(at)
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(at + 1) !== lineFeed)) {
      line++
      column = 1
    } else if (!(isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(at + 1)))) {
      column++
    }
  }
  return { offset, line, column }
}
