// A text that is put together of many short pieces and may be looked at after each of them: unlike the arguments on the wire, which
// are counted as they grow and read once.

/**
 * Up to so many UTF-16 units the pieces are a rope. V8 makes a cell of 32 bytes for each of them: made flat soon, they are gone before
 * the garbage collector has to move them, which is what most of the time goes to otherwise.
 */
const flatSize = 512

export class TextBuilder {
  #flat = ''
  #tail = ''

  append(piece: string): void {
    this.#tail += piece
    if (this.#tail.length < flatSize) return
    // Looking at one character of a rope makes V8 flatten it in place.
    this.#tail.charCodeAt(0)
    this.#flat += this.#tail
    this.#tail = ''
  }

  toString(): string {
    return this.#flat + this.#tail
  }
}
