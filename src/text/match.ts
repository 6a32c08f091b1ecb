// Tells what stands at a place of a text that may go on in the next chunk.

import { isSpace } from '../arguments/characters.ts'

/** The text so far doesn't tell yet. */
export const needsMore = -1
/** It is something else, whatever follows. */
export const noMatch = -2

/** Why there is no index. Both are negative, and no index is. */
export type Miss = typeof needsMore | typeof noMatch

export function asMiss(answer: number): Miss {
  return answer === needsMore ? needsMore : noMatch
}

/** How much white space between two parts of a block is layout. */
const maxLayout = 64

/** Matches one literal at `i`: the index behind it, `needsMore` or `noMatch`. */
export function matchLiteral(text: string, i: number, literal: string): number {
  if (text.startsWith(literal, i)) return i + literal.length
  return text.length - i < literal.length && literal.startsWith(text.slice(i)) ? needsMore : noMatch
}

/** Matches the longest of several literals. As long as a longer one may still come, the answer is `needsMore`. */
export function matchAny(text: string, i: number, literals: readonly string[]): number {
  let answer = noMatch
  for (const literal of literals) {
    const end = matchLiteral(text, i, literal)
    if (end === needsMore) return needsMore
    if (end > answer) answer = end
  }
  return answer
}

/**
 * Skips the white space that models lay their calls out with: the index behind it, `needsMore` where the text ends in it, `noMatch`
 * where it is too much.
 */
export function skipLayout(text: string, i: number): number {
  const limit = i + maxLayout
  for (; i < text.length; i++) {
    if (i > limit) return noMatch
    if (!isSpace(text.charCodeAt(i))) return i
  }
  return i > limit ? noMatch : needsMore
}

/** Skips white space and matches one literal behind it. */
export function matchBehindLayout(text: string, i: number, literal: string): number {
  const start = skipLayout(text, i)
  return start < 0 ? start : matchLiteral(text, start, literal)
}

/** Where something stands in a text: its start, and the place behind it. */
export type Span = readonly [start: number, end: number]

/**
 * The first place from `i` on where one of the literals stands; `needsMore` where it may still come within `limit` characters, else
 * `noMatch`.
 */
export function findAny(text: string, i: number, literals: readonly string[], limit: number): Span | Miss {
  for (let start = i; start <= i + limit; start++) {
    if (start >= text.length) return needsMore
    const end = matchAny(text, start, literals)
    if (end === needsMore) return needsMore
    if (end >= 0) return [start, end]
  }
  return noMatch
}
