// Members that JSON.parse has dropped in silence: of two under one name in one object it keeps the last.

import { tryJsonText } from '../arguments/json.ts'
import type { ParsedMessage } from './source.ts'

/**
 * Whether the message has more members `name` than its value shows. Told by the source: there the name in its quotes can only be a key,
 * or a string that is nothing else, since quotes inside strings are escaped. A name that is itself written with escapes goes unseen.
 *
 * Nearly every message has the name once or never, and costs no more than that search.
 */
export function hidesMember(message: ParsedMessage, name: string): boolean {
  const { source, value } = message
  if (source === undefined) return false
  // Without its first quote, which half the words of an event begin with: the search is several times as fast.
  const ending = `${name}"`
  const first = source.indexOf(ending)
  if (first === -1 || source.indexOf(ending, first + ending.length) === -1) return false
  const quoted = `"${ending}`
  const shown = tryJsonText(value)
  // Nested deeper than anything can write.
  return shown !== undefined && occurrences(source, quoted) > occurrences(shown, quoted)
}

function occurrences(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++
  return count
}
