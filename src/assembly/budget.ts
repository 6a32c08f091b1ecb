// How many bytes of arguments a turn may still hold. Counting UTF-8 exactly would mean looking at every fragment, so cheap
// upper bounds (three bytes a UTF-16 unit) are kept, and exact sums are taken only when a bound says that it may matter. For
// the total, each exact count moves the next one out by a third of what is left, so there are only logarithmically many.

import type { Limits } from '../model/limits.ts'
import { byteLength } from '../framing/measure.ts'
import type { GrowingText } from './growing-text.ts'

/** The most UTF-8 bytes that one UTF-16 unit can stand for. */
const bytesPerUnit = 3

export class ArgumentBudget {
  readonly #limits: Limits
  #units = 0
  /** The total in units up to which no exact count is needed. Moved out by each count. */
  #safeUnits: number

  constructor(limits: Limits) {
    this.#limits = limits
    this.#safeUnits = Math.floor(limits.maxTotalArgumentBytes / bytesPerUnit)
  }

  /** Books `delta` to `text`; or the name of the limit that it would cross, and then nothing is booked. */
  take(
    text: GrowingText,
    delta: string,
    all: readonly { readonly text: GrowingText }[],
  ): 'maxArgumentBytes' | 'maxTotalArgumentBytes' | null {
    const { maxArgumentBytes, maxTotalArgumentBytes } = this.#limits
    if (
      text.bytesAtMost + delta.length * bytesPerUnit > maxArgumentBytes &&
      text.bytes() + byteLength(delta) > maxArgumentBytes
    ) {
      return 'maxArgumentBytes'
    }
    if (this.#units + delta.length > this.#safeUnits) {
      let bytes = byteLength(delta)
      for (const call of all) bytes += call.text.bytes()
      if (bytes > maxTotalArgumentBytes) return 'maxTotalArgumentBytes'
      this.#safeUnits = this.#units + delta.length + Math.floor((maxTotalArgumentBytes - bytes) / bytesPerUnit)
    }
    this.#units += delta.length
    return null
  }
}
