// What must go back with a call, collected from everything that brings some of it.

import { isArray } from '../arguments/json.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'

export class Extra {
  /** By key, in the order of first appearance. A list here is the one that `#lists` has under its key. */
  readonly #members = new Map<string, JsonValue>()
  /** They grow in place: a wire may send one entry an event. */
  readonly #lists = new Map<string, JsonValue[]>()

  /** Lists under the same key grow; anything else is replaced by what came later. */
  add(extra: JsonObject | undefined): void {
    for (const [key, value] of Object.entries(extra ?? {})) {
      if (isArray(value)) {
        const list = this.#lists.get(key) ?? []
        for (const item of value) list.push(item)
        this.#lists.set(key, list)
        this.#members.set(key, list)
      } else {
        this.#lists.delete(key)
        this.#members.set(key, value)
      }
    }
  }

  /** All of it so far, as a value that doesn't change any more; `undefined` where there is none. */
  get value(): JsonObject | undefined {
    if (this.#members.size === 0) return undefined
    const members = [...this.#members].map(([key, value]) => [key, isArray(value) ? Object.freeze([...value]) : value])
    return Object.freeze(Object.fromEntries(members))
  }
}
