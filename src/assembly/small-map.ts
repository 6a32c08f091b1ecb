// A map for what most streams have one of.

/**
 * As a `Map`, but the first entry stands without a table: a `Map` of one entry takes 180 bytes, and a server holds several in every
 * stream.
 */
export class SmallMap<Key extends number | string, Value extends object> {
  #firstKey: Key | undefined
  #first: Value | undefined
  /** All others. Made by the second key, and never given up, so that what comes later also stands later. */
  #others: Map<Key, Value> | undefined

  get(key: Key): Value | undefined {
    return key === this.#firstKey ? this.#first : this.#others?.get(key)
  }

  set(key: Key, value: Value): void {
    if (key === this.#firstKey || (this.#first === undefined && this.#others === undefined)) {
      this.#firstKey = key
      this.#first = value
    } else {
      this.#others ??= new Map()
      this.#others.set(key, value)
    }
  }

  delete(key: Key): void {
    if (key === this.#firstKey) {
      this.#firstKey = undefined
      this.#first = undefined
    } else this.#others?.delete(key)
  }

  /** In the order in which their keys were first set. */
  values(): readonly Value[] {
    const others = this.#others?.values() ?? []
    return this.#first === undefined ? [...others] : [this.#first, ...others]
  }
}
