// The parts of a turn that are neither text nor call and must go back as they were: collected until a call takes them along.

import type { KeptClose } from '../model/deltas.ts'
import type { JsonObject } from '../model/json.ts'
import { isObject } from '../arguments/json.ts'
import { GrowingText } from './growing-text.ts'

interface OpenBlock {
  /** How much of the turn's text stood before it. */
  readonly at: number
  readonly reasoning: GrowingText
}

/**
 * The reasoning of a block is collected here and not in the wire's reader, because the fast path lets its deltas pass the reader by.
 */
export class KeptBlocks {
  readonly #open = new Map<number, OpenBlock>()
  /** Whose the reasoning is at the moment. */
  #current: OpenBlock | undefined
  /** Closed blocks that no call has taken yet. */
  #waiting: JsonObject[] = []

  open(block: number | null, at: number): void {
    if (block === null) {
      this.#current = undefined
      return
    }
    let opened = this.#open.get(block)
    if (!opened) {
      opened = { at, reasoning: new GrowingText() }
      this.#open.set(block, opened)
    }
    this.#current = opened
  }

  say(reasoning: string): void {
    this.#current?.reasoning.append(reasoning)
  }

  /** A block that is not open any more has lost something on the way, and a signature holds for the whole alone. */
  close({ block, value, textAt }: KeptClose): void {
    const opened = this.#open.get(block)
    if (!opened) return
    this.#open.delete(block)
    if (this.#current === opened) this.#current = undefined
    if (value === null) return
    const whole = textAt ? withText(value, textAt, opened.reasoning.toString()) : value
    this.#waiting.push({ at: opened.at, block: whole })
  }

  /** An event was lost that any open block may have been part of. */
  lose(): void {
    this.#open.clear()
    this.#current = undefined
  }

  /** What waits, as a call's `extra`. */
  take(): JsonObject | undefined {
    if (this.#waiting.length === 0) return undefined
    const blocks = this.#waiting
    this.#waiting = []
    return { blocks }
  }
}

/** `value` with `text` at a path of objects. */
function withText(value: JsonObject, [key, ...deeper]: readonly string[], text: string): JsonObject {
  if (key === undefined) return value
  const held = value[key]
  return { ...value, [key]: deeper.length === 0 ? text : withText(isObject(held) ? held : {}, deeper, text) }
}
