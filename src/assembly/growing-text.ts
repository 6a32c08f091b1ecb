// Text that grows by small pieces: cheap to append to, small to hold, read whole only when somebody asks.

import { byteLength } from '../framing/measure.ts'

/**
 * The tail is a rope until it has this many UTF-16 units, or so many pieces that are not shorter than a few units each. Long ropes
 * cost: V8 keeps a 32-byte cons cell for every piece besides the piece itself, each of which the garbage collector promotes, and every
 * short piece that is a slice keeps its whole network chunk alive. Made flat at these sizes, ten million characters in four-character
 * pieces take under 2 bytes a character instead of 8 to 14, and a text that is short is not ten times its size.
 */
const flatSize = 2048
const flatPieces = 64
const shortestFlat = 256

export class GrowingText {
  /** In UTF-16 units. */
  length = 0
  /** Flat pieces, oldest first. */
  #pieces: string[] = []
  /** UTF-8 bytes of `#pieces`. */
  #bytes = 0
  /** Everything after `#pieces`, a rope. */
  #tail = ''
  /** What the rope was made of. */
  #tailPieces = 0

  append(piece: string): void {
    this.length += piece.length
    this.#tail += piece
    this.#tailPieces++
    const size = this.#tail.length
    if (size >= flatSize || (this.#tailPieces >= flatPieces && size >= shortestFlat)) this.#flatten()
  }

  /** UTF-8 bytes so far. Costs at most one look at the tail. */
  bytes(): number {
    return this.#bytes + byteLength(this.#tail)
  }

  /** Never less than `bytes()`, at no cost, and at most three bytes a unit of the tail more. */
  get bytesAtMost(): number {
    return this.#bytes + 3 * this.#tail.length
  }

  toString(): string {
    if (this.#pieces.length === 0) return this.#tail
    const whole = this.#pieces.join('') + this.#tail
    this.#pieces = [whole]
    this.#bytes = this.bytes()
    this.#tail = ''
    this.#tailPieces = 0
    return whole
  }

  #flatten(): void {
    // Counting reads every unit, and the first read of a rope makes V8 flatten it in place.
    this.#bytes += byteLength(this.#tail)
    this.#pieces.push(this.#tail)
    this.#tail = ''
    this.#tailPieces = 0
  }
}
