// Finds the JSON in running text: every object and array, for text that should hold some somewhere. Never used for calls, where
// picking one of several readings would be a guess.

import type { JsonObject, JsonValue } from '../model/json.ts'
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quotationMark,
  skipSpace,
} from './characters.ts'
import { readEscape } from './escapes.ts'
import type { Span } from './notes.ts'

/** One object or array, as strict JSON, that is inside no other one. */
export interface JsonCandidate {
  /** UTF-16 offsets in the text, end exclusive. */
  readonly start: number
  readonly end: number
  readonly value: JsonObject | readonly JsonValue[]
}

/** In the order of the text, without overlaps. Of a container that breaks off, the complete ones in it are found. Linear. */
export function extractJson(text: string): readonly JsonCandidate[] {
  return new Extraction(text).run().map(({ start, end }) => ({ start, end, value: parse(text.slice(start, end)) }))
}

/** A container that is still open. */
interface OpenContainer {
  readonly start: number
  readonly isArray: boolean
  /** The complete containers in it, which stand for themselves if this one breaks off. */
  readonly inside: Span[]
  expecting: 'first' | 'next' | 'separator'
}

/** Nobody means JSON that is deeper, and what consumes it may overflow. */
const maxDepth = 512

/** Sticky, so `lastIndex` is set before each use. */
const plainText = /[ !#-[\]-\uffff]*/y
const scalarText = /(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-])/y
/** A bracket and the first character of what may come after it: most brackets in prose are none of JSON. */
const opening = /\{(?=[ \t\r\n]*["}])|\[(?=[ \t\r\n]*["{[\]tfn0-9-])/g

class Extraction {
  readonly #text: string
  readonly #found: Span[] = []
  readonly #containers: OpenContainer[] = []
  #at = 0
  /** Where the last string began: if the JSON breaks off after it, the quote may have been prose, and JSON may begin inside. */
  #lastString = -1

  constructor(text: string) {
    this.#text = text
  }

  run(): readonly Span[] {
    while (this.#containers.length > 0 || this.#findOpening()) {
      if (!this.#step()) this.#breakOff()
    }
    return this.#found
  }

  #findOpening(): boolean {
    opening.lastIndex = this.#at
    if (!opening.test(this.#text)) return false
    const start = opening.lastIndex - 1
    this.#open(start, this.#text.charCodeAt(start) === openBracket)
    return true
  }

  #open(start: number, isArray: boolean): void {
    this.#containers.push({ start, isArray, inside: [], expecting: 'first' })
    this.#at = start + 1
  }

  /** Takes one member, item, comma or closing bracket; false where none of them comes. */
  #step(): boolean {
    const top = this.#containers.at(-1)
    if (!top) return false
    this.#at = skipSpace(this.#text, this.#at)
    const code = this.#text.charCodeAt(this.#at)
    if (code === (top.isArray ? closeBracket : closeBrace)) return top.expecting !== 'next' && this.#close(top)
    if (top.expecting !== 'separator') {
      top.expecting = 'separator'
      return (top.isArray || this.#key()) && this.#value()
    }
    top.expecting = 'next'
    return this.#take(comma)
  }

  #close(closed: OpenContainer): true {
    this.#containers.pop()
    this.#at++
    const around = this.#containers.at(-1)?.inside ?? this.#found
    around.push({ start: closed.start, end: this.#at })
    return true
  }

  #take(wanted: number): boolean {
    this.#at = skipSpace(this.#text, this.#at)
    if (this.#text.charCodeAt(this.#at) !== wanted) return false
    this.#at++
    return true
  }

  #key(): boolean {
    return this.#text.charCodeAt(this.#at) === quotationMark && this.#string() && this.#take(colon)
  }

  #value(): boolean {
    this.#at = skipSpace(this.#text, this.#at)
    const code = this.#text.charCodeAt(this.#at)
    if (code === quotationMark) return this.#string()
    if (code === openBrace || code === openBracket) {
      if (this.#containers.length === maxDepth) return false
      this.#open(this.#at, code === openBracket)
      return true
    }
    scalarText.lastIndex = this.#at
    if (!scalarText.test(this.#text)) return false
    this.#at = scalarText.lastIndex
    return true
  }

  #string(): boolean {
    this.#lastString = this.#at
    let at = this.#at + 1
    for (;;) {
      plainText.lastIndex = at
      plainText.test(this.#text)
      at = plainText.lastIndex
      const code = this.#text.charCodeAt(at)
      if (code === quotationMark) {
        this.#at = at + 1
        return true
      }
      const escape = code === backslash ? readEscape(this.#text, at) : undefined
      if (escape?.type !== 'escape') return false
      at += escape.length
    }
  }

  /** Keeps what is complete, and goes on behind it and behind the opening quote of the last string. */
  #breakOff(): void {
    for (const { inside } of this.#containers) for (const span of inside) this.#found.push(span)
    const goOn = this.#lastString >= (this.#containers[0]?.start ?? 0) ? this.#lastString + 1 : this.#at
    this.#at = Math.max(goOn, this.#found.at(-1)?.end ?? 0)
    this.#containers.length = 0
  }
}

/** The span was checked by the same grammar that the engine has. */
function parse(text: string): JsonObject | readonly JsonValue[] {
  return JSON.parse(text) as JsonObject | readonly JsonValue[]
}
