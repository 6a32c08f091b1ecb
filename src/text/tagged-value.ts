// The value of one tagged parameter: text without quotes, written as JSON while it comes.

import { isSpace, skipSpace } from '../arguments/characters.ts'
import { escapeJson } from './escape.ts'
import { asJson } from './parameter-types.ts'
import type { CallPort } from './port.ts'
import { beginsNull, jsonWord } from './python-words.ts'
import type { ValueTrim } from './row.ts'

/** How a value is read: as a string that grows, as text that is converted at its end, or as a string unless it is null. */
export type ValueMode = 'stream' | 'buffer' | 'null-or-string'

export interface TaggedValue {
  mode: ValueMode
  /** Whether the value has begun: whatever of its start is markup has been taken off. */
  begun: boolean
  /** The value so far, unless it streams. */
  text: string
  /** White space at the end of a streaming value, which its close tag may make markup. */
  tail: string
}

export function createTaggedValue(mode: ValueMode): TaggedValue {
  return { mode, begun: false, text: '', tail: '' }
}

/** How much text with white space around it may be null. */
const maxNull = 16

/** Puts a value into the open call, piece by piece. */
export class TaggedValueWriter {
  readonly #value: TaggedValue
  readonly #trim: ValueTrim
  readonly #port: CallPort

  constructor(value: TaggedValue, trim: ValueTrim, port: CallPort) {
    this.#value = value
    this.#trim = trim
    this.#port = port
  }

  begin(): void {
    if (this.#value.mode === 'stream') this.#port.append('"')
  }

  take(raw: string): void {
    const value = this.#value
    const piece = value.begun ? raw : trimStart(raw, this.#trim)
    if (raw === '' || (piece === '' && this.#trim === 'all')) return
    value.begun = true
    if (value.mode === 'stream') return this.#stream(piece)
    value.text += piece
    if (value.mode === 'buffer' || mayBeNull(value.text)) return
    value.mode = 'stream'
    this.#port.append('"')
    this.#stream(value.text)
    value.text = ''
  }

  /** Passes a piece of a string on, but for the white space at its end that may be markup. */
  #stream(piece: string): void {
    const value = this.#value
    const plain = trimEnd(piece, this.#trim)
    if (plain === '' && this.#trim === 'all') value.tail += piece
    else {
      this.#port.append(escapeJson(value.tail + plain))
      value.tail = piece.slice(plain.length)
    }
  }

  end(): void {
    this.#port.append(this.#value.mode === 'stream' ? '"' : this.#heldValue())
  }

  /** The JSON of a value that was held back whole. What is none is a string: the schema will say what was wanted of it. */
  #heldValue(): string {
    const { mode, text } = this.#value
    const json = mode === 'buffer' ? asJson(text) : jsonWord(text.trim())
    return json ?? `"${escapeJson(trimEnd(text, this.#trim))}"`
  }

  /** The text stops inside the value. What was held back of it is kept as it is: it is what was sent. */
  breakOff(): void {
    const { mode, tail, text } = this.#value
    this.#port.append(mode === 'stream' ? escapeJson(tail) : text)
  }
}

function mayBeNull(text: string): boolean {
  return text.length <= maxNull && beginsNull(text.trim())
}

function trimStart(text: string, trim: ValueTrim): string {
  switch (trim) {
    case 'none':
      return text
    case 'one-newline':
      return text.startsWith('\n') ? text.slice(1) : text
    case 'all':
      return text.slice(skipSpace(text, 0))
    default:
      return trim satisfies never
  }
}

function trimEnd(text: string, trim: ValueTrim): string {
  switch (trim) {
    case 'none':
      return text
    case 'one-newline':
      return text.endsWith('\n') ? text.slice(0, -1) : text
    case 'all': {
      let end = text.length
      while (isSpace(text.charCodeAt(end - 1))) end--
      return text.slice(0, end)
    }
    default:
      return trim satisfies never
  }
}
