// Where a growing JSON text stands, by brackets and quotes alone: the evidence that identity and truncation need before any
// parse. It never says that a text is valid, only whether something in it is still open.

/** Incremental: every unit is looked at once, in whatever pieces it comes. */
export class Structure {
  #depth = 0
  #inString = false
  #escaped = false
  /** Set by the `{` of an object outside strings, cleared when it closes empty. */
  #opened = false
  /** Set when the first object with a member closes, never cleared. */
  #closed = false
  /** Set by the first member, never cleared. */
  #filled = false
  /** Whether anything but white space and placeholders stands before or after that object. */
  #surplus = false

  push(text: string): void {
    for (let i = 0; i < text.length; i++) this.#take(text.charCodeAt(i))
  }

  /** One object with at least one member, closed, and nothing else. */
  get isWholeFilledObject(): boolean {
    return this.#closed && this.#filled && !this.#surplus && !this.isOpen
  }

  /** A string, object or array has begun and not ended. */
  get isOpen(): boolean {
    return this.#inString || this.#depth > 0
  }

  #take(unit: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (unit === 0x5c) this.#escaped = true
      else if (unit === 0x22) this.#inString = false
      return
    }
    if (unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)) return
    if (this.#closed || (!this.#opened && unit !== 0x7b)) this.#surplus = true
    if (unit === 0x22) this.#inString = true
    else if (unit === 0x7b || unit === 0x5b) this.#depth++
    else if (unit === 0x7d || unit === 0x5d) {
      if (this.#depth > 0) this.#depth--
      if (this.#depth === 0 && this.#opened) this.#close()
      return
    }
    if (this.#opened && !this.#closed) this.#filled = true
    else if (unit === 0x7b) this.#opened = true
  }

  /** An empty object is a placeholder that the real one may follow, so it doesn't count as the first. */
  #close(): void {
    if (this.#filled) this.#closed = true
    else this.#opened = false
  }
}

/** The structure of a text that is already whole. */
export function structureOf(text: string): Structure {
  const structure = new Structure()
  structure.push(text)
  return structure
}
