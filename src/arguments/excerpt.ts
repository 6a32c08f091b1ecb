// The evidence that goes into a record: bounded, and never half a character.

import { isHighSurrogate } from './characters.ts'

/** How much of a text a record keeps, in UTF-16 units. */
const longestEvidence = 2_000

/** The text, or its first `most` UTF-16 units without half a surrogate pair at their end. */
export function excerpt(text: string, most: number = longestEvidence): string {
  if (text.length <= most) return text
  return text.slice(0, isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most)
}
