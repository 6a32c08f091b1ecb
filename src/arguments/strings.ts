// One string literal: its end, its value, and what is wrong with or odd about its inside.

import {
  apostrophe,
  backslash,
  carriageReturn,
  lineFeed,
  quotationMark,
  isHighSurrogate,
  isLowSurrogate,
} from './characters.ts'
import { TextBuilder } from './builder.ts'
import { readEscape } from './escapes.ts'
import type { Notes } from './notes.ts'

export type StringReading =
  | { readonly type: 'string'; readonly value: string; /** After the closing quote. */ readonly end: number }
  /** `value` is what came before the text broke off; `whole` unless an escape or a surrogate pair was cut, or the string ran over the end of a code fence. */
  | {
      readonly type: 'cut'
      readonly value: string
      readonly open: 'open-string' | 'open-escape'
      readonly whole: boolean
    }
  /** A straight quote in a string that opened with another one: nobody knows which of them ends it. */
  | { readonly type: 'stray-quote'; readonly at: number }

export interface StringRole {
  /** The code unit that ends the string. */
  readonly close: number
  /** In a key, a line break is more likely damage than data. */
  readonly isKey: boolean
}

const expectedEscape = 'one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four hex digits'

/** `start` is just after the opening quote. Edits turn the inside into that of a double-quoted string. */
export function readString(text: string, start: number, role: StringRole, notes: Notes): StringReading {
  return new StringReader(text, start, role, notes).read()
}

/** What stands for itself, by the quote that ends the string. Sticky, so `lastIndex` is set before each use; they match nothing rather than fail. */
const plainText: ReadonlyMap<number, RegExp> = new Map([
  [quotationMark, /[ !#-[\]-\ud7ff\ue000-\uffff]*/y],
  [apostrophe, /[ !#-&(-[\]-\ud7ff\ue000-\uffff]*/y],
])

/** The same for every other quote, which then is looked at where it comes. */
const plainInTypesetQuotes = /[ !#-[\]-\u2018\u201a-\u201c\u201e-\ud7ff\ue000-\uffff]*/y

class StringReader {
  readonly #text: string
  readonly #role: StringRole
  readonly #notes: Notes
  #at: number
  /** From here to `#at`, characters stand for themselves and are not in `#value` yet. */
  #from: number
  readonly #value = new TextBuilder()
  /** Where an escaped high surrogate began, if that is the last thing read. */
  #high = -1
  #ranOverFence = false

  constructor(text: string, start: number, role: StringRole, notes: Notes) {
    this.#text = text
    this.#at = start
    this.#from = start
    this.#role = role
    this.#notes = notes
  }

  read(): StringReading {
    const { close } = this.#role
    const plain = plainText.get(close) ?? plainInTypesetQuotes
    for (;;) {
      const code = this.#skipPlain(plain, close)
      if (Number.isNaN(code)) return this.#cut('open-string')
      if (code === close) return { type: 'string', value: this.#take(this.#at), end: this.#at + 1 }
      if (code === backslash) {
        if (!this.#escape()) return this.#cut('open-escape')
      } else if (code < 0x20) {
        this.#control(code)
      } else if (code === quotationMark) {
        if (close !== apostrophe) return { type: 'stray-quote', at: this.#at }
        this.#notes.edit(this.#at, this.#at + 1, '\\"')
        this.#at++
      } else if (isHighSurrogate(code) || isLowSurrogate(code)) {
        this.#surrogate(code)
      } else {
        this.#at++
      }
    }
  }

  /** Goes on to the next character that needs a look and gives it; NaN at the end of the text. */
  #skipPlain(plain: RegExp, close: number): number {
    const text = this.#text
    const first = text.charCodeAt(this.#at)
    if (first === backslash || first < 0x20) return first
    plain.lastIndex = this.#at
    plain.test(text)
    const at = plain.lastIndex
    const code = text.charCodeAt(at)
    if (at > this.#at || code === close) this.#settleHigh()
    this.#at = at
    return code
  }

  #settle(end: number): void {
    if (end > this.#from) this.#value.append(this.#text.slice(this.#from, end))
    this.#from = end
  }

  #take(end: number): string {
    this.#settle(end)
    return this.#value.toString()
  }

  #cut(open: 'open-string' | 'open-escape'): StringReading {
    const value = this.#take(this.#text.length)
    if (this.#high >= 0 || isHighSurrogate(value.charCodeAt(value.length - 1))) {
      return { type: 'cut', value, open: 'open-escape', whole: false }
    }
    return { type: 'cut', value, open, whole: open === 'open-string' && !this.#ranOverFence }
  }

  /** Reads the escape that starts here; false where the text ends before it does. */
  #escape(): boolean {
    const start = this.#at
    const escape = readEscape(this.#text, start)
    if (escape.type === 'cut') return false
    if (escape.type === 'invalid') this.#invalidEscape(start)
    else if (escape.length === 6) this.#unicodeEscape(start, escape.decoded)
    else {
      this.#settleHigh()
      this.#replace(start, start + 2, escape.decoded)
    }
    return true
  }

  #unicodeEscape(start: number, decoded: string): void {
    const unit = decoded.charCodeAt(0)
    const completesPair = this.#high >= 0 && isLowSurrogate(unit)
    if (completesPair) this.#high = -1
    else this.#settleHigh()
    this.#replace(start, start + 6, decoded)
    if (isHighSurrogate(unit)) this.#high = start
    else if (isLowSurrogate(unit) && !completesPair) this.#loneSurrogate(start)
  }

  /** An apostrophe needs no escape, but where others are used as quotes, people and models write one. */
  #invalidEscape(start: number): void {
    this.#settleHigh()
    if (this.#text.charCodeAt(start + 1) !== apostrophe) {
      this.#notes.object('invalid-escape', start, expectedEscape)
      this.#at = start + 1
      return
    }
    if (this.#role.close !== apostrophe)
      this.#notes.repair('apostrophe-escape', start, start + 2, expectedEscape, 'invalid-escape')
    this.#notes.edit(start, start + 2, "'")
    this.#replace(start, start + 2, "'")
  }

  #replace(start: number, end: number, decoded: string): void {
    this.#settle(start)
    this.#value.append(decoded)
    this.#at = end
    this.#from = end
  }

  #control(code: number): void {
    const at = this.#at
    this.#settleHigh()
    const escape = rawControls.get(code)
    if (escape === undefined || this.#role.isKey) {
      this.#notes.object('control-char', at, 'control characters written as escapes')
    } else {
      this.#notes.repair('raw-control-chars', at, at + 1, 'control characters written as escapes')
      this.#notes.edit(at, at + 1, escape)
    }
    this.#at = at + 1
    if (code === lineFeed || code === carriageReturn) this.#ranOverFence ||= isFence(this.#text, at + 1)
  }

  /** A pair has to be written in one way, both halves raw or both escaped: halves of different kinds are as broken as single ones. */
  #surrogate(code: number): void {
    this.#settleHigh()
    const at = this.#at
    if (isHighSurrogate(code)) {
      const next = this.#text.charCodeAt(at + 1)
      if (isLowSurrogate(next)) this.#at = at + 2
      else {
        this.#at = at + 1
        if (this.#at < this.#text.length) this.#loneSurrogate(at)
      }
    } else {
      this.#at = at + 1
      this.#loneSurrogate(at)
    }
  }

  /** Something other than the low half followed an escaped high surrogate. */
  #settleHigh(): void {
    if (this.#high < 0) return
    this.#loneSurrogate(this.#high)
    this.#high = -1
  }

  #loneSurrogate(at: number): void {
    this.#notes.find('ill-formed-unicode', at, 'both halves of a surrogate pair')
  }
}

/** The control characters that models leave bare in text and code, where nothing else but themselves can be meant. */
const rawControls: ReadonlyMap<number, string> = new Map([
  [0x09, '\\t'],
  [lineFeed, '\\n'],
  [carriageReturn, '\\r'],
])

/** At the start of a line, indented by three spaces at most. */
function isFence(text: string, at: number): boolean {
  let start = at
  while (start < at + 3 && text[start] === ' ') start++
  return text.startsWith('```', start) || text.startsWith('~~~', start)
}
