// The unread end of a text: what has arrived of an event that is not complete yet.

import { byteLength } from './measure.ts'

/** How many pieces are kept apart before they are joined to one. */
const piecesPerBlock = 512

/**
 * Text as a list of the pieces that it arrived in, joined once when it is read, so that a long event in small chunks costs no more
 * than in large ones. Plain data throughout.
 */
export interface Tail {
  /** Full lists of `pieces`, each joined, so that single characters don't cost an array slot each for long. */
  blocks: string[]
  pieces: string[]
  /** UTF-16 units in all. */
  units: number
  /** UTF-8 bytes; `undefined` until `tailExceeds` needed to know, then kept up by `append`. */
  bytes: number | undefined
}

export function emptyTail(): Tail {
  return { blocks: [], pieces: [], units: 0, bytes: undefined }
}

export function append(tail: Tail, piece: string): void {
  tail.pieces.push(piece)
  tail.units += piece.length
  if (tail.bytes !== undefined) tail.bytes += byteLength(piece)
  if (tail.pieces.length < piecesPerBlock) return
  tail.blocks.push(tail.pieces.join(''))
  tail.pieces = []
}

/** The whole text, which the tail then no longer holds. */
export function take(tail: Tail): string {
  if (tail.units === 0) return ''
  const text = peek(tail)
  clear(tail)
  return text
}

export function clear(tail: Tail): void {
  tail.blocks = []
  tail.pieces = []
  tail.units = 0
  tail.bytes = undefined
}

/** Whether the text has more than `limit` UTF-8 bytes. Counts each piece once, and none while the number of units settles it. */
export function tailExceeds(tail: Tail, limit: number): boolean {
  if (tail.units * 3 <= limit) return false
  tail.bytes ??= byteLength(peek(tail))
  return tail.bytes > limit
}

/** The whole text, which the tail goes on holding. */
export function peek(tail: Tail): string {
  const pieces = tail.pieces.length === 1 ? (tail.pieces[0] ?? '') : tail.pieces.join('')
  return tail.blocks.length === 0 ? pieces : tail.blocks.join('') + pieces
}
